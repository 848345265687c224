// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD

/// The library's handle of a connection, valid during one request.
///
/// The library frees the handle when the connection closes, but never while it is suspended.
@safe struct SuspendableConnection: @unchecked Sendable {  // The library allows resuming from any thread.
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  /// Suspends the connection. Call it on the connection's own thread, inside a library callback.
  func suspend() {
    unsafe MHD_suspend_connection(handle)
  }

  /// Resumes a suspended connection.
  func resume() {
    unsafe MHD_resume_connection(handle)
  }
}
