// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD

/// The library's handle of a connection, for the time of one request.
///
/// The library frees it when the connection ends, and never while it is suspended.
@safe struct SuspendableConnection: @unchecked Sendable {  // The library allows to resume from any thread.
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  /// Leaves the connection alone; on its own thread, within a call of the library.
  func suspend() {
    unsafe MHD_suspend_connection(handle)
  }

  /// Goes on with a connection that is suspended.
  func resume() {
    unsafe MHD_resume_connection(handle)
  }
}
