// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyMicroHTTPD
internal import Glibc
internal import PasskeyHTTP

/// The library's handle of an open connection, for use on the connection's own thread.
@safe struct ReadingConnection: @unchecked Sendable {  // Only the thread that made it uses the handle.
  private let handle: OpaquePointer
  private let thread: pthread_t

  /// Stores the handle. Call it on the connection's own thread.
  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
    thread = pthread_self()
  }

  /// The error code for a malformed `Content-Length` among the fields read so far. Nil if the field is valid or
  /// missing, and on any other thread.
  var lengthFault: EndpointError.Code? {
    guard pthread_equal(thread, pthread_self()) != 0 else { return nil }
    var count = 0
    guard let value = unsafe passkey_content_length(handle, &count) else { return nil }
    let text = unsafe UnsafeRawBufferPointer(start: value, count: count)
    guard unsafe !text.isEmpty, unsafe text.allSatisfy({ 48...57 ~= $0 }) else { return .framingAmbiguous }
    return unsafe UInt64(String(decoding: text, as: UTF8.self)) == nil ? .bodyTooLarge : nil
  }
}
