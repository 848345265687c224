// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl
internal import PasskeySystem

/// A connection over which a caller sends its own bytes, such as malformed requests that test a server.
///
/// libcurl resolves the name, connects and performs the TLS handshake. It neither parses nor changes the bytes.
package struct RawConnection: Sendable {
  /// The result of an exchange.
  package enum Outcome: Hashable, Sendable {
    /// The bytes received until the server closed the connection or was silent.
    case received([UInt8])
    /// The TLS handshake failed.
    case handshakeFailed
    /// Nothing accepts TCP connections: libcurl's reason.
    case unreachable(String)
    /// No connection: libcurl's reason.
    case failed(String)
  }

  /// The server's URL; only scheme, host and port matter.
  package var url: String
  package var certificateAuthority: String?
  package var resolve: [String] = []
  package var connectTo: [String] = []
  package var proxy: String?

  // 10 s  [a distant server needs one]
  package var connectTimeout: Duration = .seconds(10)

  /// How long to wait for the next bytes of the server.
  package var silence: Duration = .seconds(2)

  package init(to url: String) {
    self.url = url
  }

  /// Connects, sends `bytes`, and receives up to `limit` bytes until the server closes the connection, until it is silent,
  /// or until `isComplete` returns true for the bytes received so far. Blocks the calling thread.
  package func exchange(
    _ bytes: [UInt8], receivingUpTo limit: Int = 65_536, until isComplete: ([UInt8]) -> Bool = { (_) in false }
  ) -> Outcome {
    guard CurlEngine.isStarted, let handle = unsafe curl_easy_init() else { return .failed("libcurl cannot start") }
    defer { unsafe curl_easy_cleanup(handle) }
    guard let lists = unsafe set(handle) else { return .failed("libcurl rejects an option") }
    defer { withExtendedLifetime(lists) {} }
    let code = unsafe curl_easy_perform(handle)
    switch code {
    case CURLE_OK: break
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: return .handshakeFailed
    case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT: return .unreachable(Self.text(of: code))
    default: return .failed(Self.text(of: code))
    }
    var number: curl_socket_t = -1
    guard unsafe passkey_curl_get_socket(handle, &number) == CURLE_OK else { return .failed("no socket") }
    let socket = FileDescriptor(number: number)
    guard unsafe send(bytes, handle, socket) else { return .received([]) }
    return .received(unsafe receive(handle, socket, limit, isComplete))
  }

  private static func text(of code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  private func set(_ handle: UnsafeMutableRawPointer) -> [CurlList]? {
    let timeout = Int(connectTimeout.milliseconds)
    var codes = [
      unsafe passkey_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      unsafe passkey_curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1),
      unsafe passkey_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout),
      unsafe passkey_curl_set_text(handle, CURLOPT_URL, url),
      unsafe passkey_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      unsafe passkey_curl_set_text(handle, CURLOPT_PROXY, proxy),
      unsafe passkey_curl_set_number(handle, CURLOPT_HTTPPROXYTUNNEL, 1),
      unsafe passkey_curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // The request must not be HTTP/2, whatever the server prefers.
      unsafe passkey_curl_set_number(handle, CURLOPT_SSL_ENABLE_ALPN, 0),
      unsafe passkey_curl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
    ]
    if let certificateAuthority {
      unsafe codes.append(passkey_curl_set_text(handle, CURLOPT_CAINFO, certificateAuthority))
      unsafe codes.append(passkey_curl_set_text(handle, CURLOPT_CAPATH, nil))
    }
    guard let resolved = CurlList(resolve), let connections = CurlList(connectTo) else { return nil }
    unsafe codes.append(passkey_curl_set_list(handle, CURLOPT_RESOLVE, resolved.pointer))
    unsafe codes.append(passkey_curl_set_list(handle, CURLOPT_CONNECT_TO, connections.pointer))
    return codes.allSatisfy { $0 == CURLE_OK } ? [resolved, connections] : nil
  }

  /// Sends all bytes. Returns false if the server closes the connection first.
  private func send(_ bytes: [UInt8], _ handle: UnsafeMutableRawPointer, _ socket: FileDescriptor) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var count = 0
      let code = unsafe rest.withUnsafeBytes { (part) in
        unsafe curl_easy_send(handle, part.baseAddress, part.count, &count)
      }
      rest = rest.dropFirst(count)
      switch code {
      case CURLE_OK: continue
      case CURLE_AGAIN: guard socket.wait(for: .writing, until: .now + connectTimeout) else { return false }
      default: return false
      }
    }
    return true
  }

  private func receive(
    _ handle: UnsafeMutableRawPointer, _ socket: FileDescriptor, _ limit: Int, _ isComplete: ([UInt8]) -> Bool
  ) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while received.count < limit, !isComplete(received) {
      var count = 0
      let code = unsafe buffer.withUnsafeMutableBytes { (buffer) in
        unsafe curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
      }
      switch code {
      case CURLE_OK where count > 0: received += buffer.prefix(count)
      case CURLE_AGAIN: guard socket.wait(for: .reading, until: .now + silence) else { return received }
      default: return received
      }
    }
    return received
  }
}
