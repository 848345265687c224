// SPDX-License-Identifier: Apache-2.0

internal import CurlTransfers
internal import SystemIO
internal import WebAuthnClient

/// The response to a request that was sent byte by byte.
struct RawReply: Sendable {
  let text: String

  /// The status; nil if the server closed the connection without a response.
  var status: Int? {
    guard text.hasPrefix("HTTP/1.") else { return nil }
    return text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
  }

  var isSuccess: Bool { status.map { 200..<300 ~= $0 } ?? false }
}

extension AuditWorld {
  /// Sends bytes over a connection of their own, and returns what the server answers.
  ///
  /// - Throws: ``CannotTell`` if there is no connection.
  func exchange(_ request: String, body: [UInt8] = []) async throws -> RawReply {
    try await budget.take()
    let connection = connection()
    let bytes = Array(request.utf8) + body
    let outcome = await SystemThread.run {
      connection.exchange(bytes) { RawReply(text: String(decoding: $0, as: UTF8.self)).isComplete }
    }
    let lines = request.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    let first = (lines.first ?? "").split(separator: " ").map(String.init)
    var exchange = RecordedExchange(
      method: first.first ?? "", url: server.text + (first.dropFirst().first ?? "/"),
      requestHeaders: Array(lines.dropFirst()), requestBody: String(decoding: body, as: UTF8.self),
      responseHeaders: [], responseBody: "")
    defer { recorder.record(exchange) }
    switch outcome ?? .failed("no thread") {
    case .received(let bytes):
      let reply = RawReply(text: String(decoding: bytes, as: UTF8.self))
      exchange.status = reply.status
      exchange.responseBody = reply.text
      return reply
    case .handshakeFailed:
      exchange.failure = "the TLS handshake failed"
      throw CannotTell("the TLS handshake failed")
    case .failed(let reason):
      exchange.failure = reason
      throw CannotTell("no connection to the server: \(reason)")
    }
  }

  /// Whether the server completes a TLS handshake of version 1.0 or 1.1.
  func acceptsOutdatedTLS() async throws -> Bool {
    try await budget.take()
    var connection = connection()
    connection.versions = .outdated
    let request = Array("GET / HTTP/1.1\r\nHost: \(hostField)\r\nConnection: close\r\n\r\n".utf8)
    switch await SystemThread.run({ [connection] in connection.exchange(request) }) ?? .failed("no thread") {
    case .received: return true
    case .handshakeFailed: return false
    case .failed(let reason): throw CannotTell("no connection to the server: \(reason)")
    }
  }

  /// The server's host and port, as in `Host`.
  var hostField: String {
    String(server.text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" })
  }

  private func connection() -> RawConnection {
    var connection = RawConnection(to: server.text)
    connection.certificateAuthority = options.http.certificateAuthority
    connection.resolve = options.http.resolve
    connection.connectTo = options.http.connectTo
    connection.proxy = options.http.proxy
    connection.connectTimeout = options.http.connectTimeout
    return connection
  }
}

extension RawReply {
  /// Whether the head and the stated length of the body have arrived.
  fileprivate var isComplete: Bool {
    guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
    let head = text[..<end.lowerBound].lowercased()
    guard let field = head.firstRange(of: "content-length:") else { return false }
    let digits = head[field.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
    return Int(digits).map { text[end.upperBound...].utf8.count >= $0 } ?? false
  }
}
