// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyMicroHTTPD
internal import PasskeyHTTP

/// The callbacks of libmicrohttpd. The context is the ``DaemonThread``. A connection holds a ``Connection`` and a request an
/// ``Exchange``, each retained from the callback that creates it to the callback that ends it.
enum DaemonCallbacks {
  /// Decides whether to accept a connection.
  static let accept: MHD_AcceptPolicyCallback = { (context, address, _) in
    guard let thread: DaemonThread = unsafe borrow(context), let address = unsafe address,
      let peer = unsafe IPAddress(socketAddress: address)
    else { return .NO }
    return thread.daemon.server.accepts(peer) ? .YES : .NO
  }

  /// Handles a new connection, and one that is about to close.
  static let connectionChanged: MHD_NotifyConnectionCallback = { (context, handle, slot, event) in
    guard let thread: DaemonThread = unsafe borrow(context), let slot = unsafe slot else { return }
    let daemon = thread.daemon
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
      guard let handle = unsafe handle else { return }
      let address = unsafe passkey_connection_peer(handle).flatMap { unsafe IPAddress(socketAddress: $0) }
      let connection = Connection(
        peer: address ?? IPAddress(v6: 0, 0), descriptor: unsafe passkey_connection_socket(handle),
        handle: unsafe ReadingConnection(handle), thread: thread)
      unsafe slot.pointee = Unmanaged.passRetained(connection).toOpaque()
      daemon.addConnection()
      daemon.server.add(connection)
    default:
      guard let kept = unsafe slot.pointee else { return }
      let connection = unsafe Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue()
      unsafe slot.pointee = nil
      connection.markClosed()
      daemon.server.remove(connection)
      daemon.removeConnection()
    }
  }

  /// Handles the request line. The library stores the returned exchange with the request.
  static let beginRequest:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer) -> UnsafeMutableRawPointer? = {
      (context, target, handle) in
      guard let thread: DaemonThread = unsafe borrow(context),
        let connection: Connection = unsafe borrow(passkey_connection_context(handle))
      else { return nil }
      // The per-connection memory of the library bounds the length.
      let bytes = unsafe target.map { unsafe String(cString: $0) }
      let exchange = unsafe Exchange(
        thread.daemon.server, connection, SuspendableConnection(handle), target: Array((bytes ?? "").utf8))
      return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

  /// Handles the complete header, a part of the body, the end of the body, or a resumed connection.
  static let receive: MHD_AccessHandlerCallback = {
    (_, handle, _, method, version, part, partCount, slot) in
    guard let handle = unsafe handle, let slot = unsafe slot, let exchange: Exchange = unsafe borrow(slot.pointee),
      let partCount = unsafe partCount
    else { return .NO }
    let step: Exchange.Step
    if !exchange.hasHead {
      step = exchange.receive(
        method: unsafe method.map { unsafe String(cString: $0) } ?? "",
        version: unsafe version.map { unsafe String(cString: $0) } ?? "",
        fields: unsafe fields(of: handle),
        bytes: unsafe headBytes(of: handle, from: method, limit: exchange.headLimit))
    } else if unsafe partCount.pointee > 0, let part = unsafe part {
      step = unsafe exchange.receive(UnsafeRawBufferPointer(start: part, count: partCount.pointee))
      unsafe partCount.pointee = 0
    } else {
      step = exchange.proceed()
    }
    switch step {
    case .proceed, .wait: return .YES
    case .close: return .NO
    case .answer(let response): return unsafe queue(response, on: handle)
    }
  }

  /// Handles a sent response, or a connection that closed before that.
  static let endRequest: MHD_RequestCompletedCallback = { (_, handle, slot, reason) in
    guard let slot = unsafe slot, let kept = unsafe slot.pointee else { return }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue()
    unsafe slot.pointee = nil
    let status = unsafe handle.map { unsafe Int(passkey_response_status($0)) } ?? 0
    exchange.end(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK, status: status)
  }

  /// Handles the announcement that the library will send its own response.
  ///
  /// For a malformed `Content-Length`, version 0.9.75 sends a response with two header sections. The library does not
  /// name the connection, so all connections of this thread that are reading a header are checked.
  static let libraryResponds: @convention(c) (UnsafeMutableRawPointer?) -> Void = { (context) in
    guard let daemon: DaemonState = unsafe borrow(context) else { return }
    daemon.server.refuseMalformedLengths()
  }

  /// Leaves percent escapes unchanged: ``RequestTarget`` decodes them exactly once.
  static let unescape: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>) -> Int =
    { (_, _, text) in
      var count = 0
      while unsafe text[count] != 0 { count += 1 }
      return count
    }

  /// The collected header fields. The library fills them within one call, on the calling thread.
  private final class Fields: @unchecked Sendable {  // Used within one call, on the calling thread.
    var list = ReceivedFields()
  }

  private static let addField: MHD_KeyValueIteratorN = { (context, _, name, nameCount, value, valueCount) in
    guard let fields: Fields = unsafe borrow(context) else { return .NO }
    unsafe fields.list.append(
      name: UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameCount),
      value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount))
    return .YES
  }

  /// Whether the library leaves the bytes of a header as ``HeadComparison`` expects. Later versions parse strictly
  /// themselves.
  private static let preservesHeads = unsafe String(cString: MHD_get_version()).hasPrefix("0.9.")

  /// Returns the bytes of the header. They start at the method and have the length that the library reports.
  private static func headBytes(of handle: OpaquePointer, from method: UnsafePointer<CChar>?, limit: Int) -> HeadBytes {
    let count = unsafe passkey_request_header_size(handle)
    guard preservesHeads, count <= limit, let method = unsafe method else { return HeadBytes(count: count) }
    return unsafe HeadBytes(count: count, asRead: Array(UnsafeRawBufferPointer(start: method, count: count)))
  }

  private static func fields(of handle: OpaquePointer) -> ReceivedFields {
    let fields = Fields()
    _ = unsafe passkey_each_header(handle, addField, Unmanaged.passUnretained(fields).toOpaque())
    return fields.list
  }

  private static func queue(_ answer: EndpointResponse, on handle: OpaquePointer) -> MHD_Result {
    let response = unsafe answer.body.withUnsafeBytes { (body) in
      unsafe passkey_make_response(body.baseAddress, body.count)
    }
    guard let response = unsafe response else { return .NO }
    defer { unsafe MHD_destroy_response(response) }
    for field in answer.headers.fields {
      // The library copies the strings.
      unsafe field.name.withCString { (name) in
        unsafe field.value.withCString { (value) in _ = unsafe MHD_add_response_header(response, name, value) }
      }
    }
    return unsafe MHD_queue_response(handle, UInt32(clamping: answer.status.rawValue), response)
  }

  private static func borrow<Object: AnyObject>(_ pointer: UnsafeMutableRawPointer?) -> Object? {
    unsafe pointer.map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }
}
