// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import PasskeyTransfers
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

  /// Returns the first value of a header field; nil without one. The name is in lower case.
  func header(_ name: String) -> String? {
    let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? text[...]
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts.first?.lowercased() == name else { continue }
      return parts.last.map { String($0.trimmingPrefix { $0 == " " }) }
    }
    return nil
  }
}

extension AuditWorld {
  /// Sends bytes over a connection of their own, and returns what the server answers.
  ///
  /// - Throws: ``CannotTell`` if there is no connection.
  func exchange(_ request: String, body: [UInt8] = []) async throws -> RawReply {
    guard let reply = try await exchange(request, body: body, at: server.text) else {
      throw CannotTell("nothing accepts connections at \(server.text)")
    }
    return reply
  }

  /// Sends bytes over a connection to a URL, and returns what the server answers; nil if nothing accepts connections.
  ///
  /// - Throws: ``CannotTell`` if there is no connection for another reason.
  func exchange(_ request: String, body: [UInt8] = [], at url: String) async throws -> RawReply? {
    let lines = request.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    let first = (lines.first ?? "").split(separator: " ").map(String.init)
    var exchange = RecordedExchange(
      method: first.first ?? "", url: url + (first.dropFirst().first ?? "/"),
      requestHeaders: Array(lines.dropFirst()), requestBody: String(decoding: body, as: UTF8.self),
      responseHeaders: [], responseBody: "")
    defer { recorder.record(exchange) }
    let bytes = try await answer(to: Array(request.utf8) + body, at: url, &exchange) {
      RawReply(text: String(decoding: $0, as: UTF8.self)).isComplete
    }
    guard let bytes else { return nil }
    let reply = RawReply(text: String(decoding: bytes, as: UTF8.self))
    exchange.status = reply.status
    exchange.responseBody = reply.text
    return reply
  }

  /// Returns a request as text without its body. `framing` has the fields that say where the body ends.
  func head(of request: ServerRequest, host: String? = nil, framing: String) -> String {
    var lines = ["\(request.method) \(request.path) HTTP/1.1", "Host: \(host ?? hostField)"]
    lines += request.headers.map { "\($0.name): \($0.value)" }
    if let type = request.contentType { lines.append("Content-Type: \(type)") }
    return (lines + [framing, "Connection: close", "", ""]).joined(separator: "\r\n")
  }

  /// Begins a TLS handshake, and returns the server's answer; nil if it is not TLS.
  ///
  /// - Throws: ``CannotTell`` if there is no connection.
  func answer(to offer: TLSOffer) async throws -> TLSAnswer? {
    let suites = offer.suites.map(\.name).joined(separator: ", ")
    var exchange = RecordedExchange(
      method: RecordedExchange.handshake, url: server.text,
      requestHeaders: ["version: TLS \(offer.version.name)", "suites: \(suites)"], requestBody: "",
      responseHeaders: [], responseBody: "", curlOptions: offer.curlOptions)
    defer { recorder.record(exchange) }
    // The bytes are those of TLS, so libcurl must not add its own.
    let url = "http://\(hostField)\(hostField.hasSuffix(":\(server.port)") ? "" : ":\(server.port)")"
    let hello = offer.record(for: server.host, random: try AuditRandom.bytes(32))
    guard let bytes = try await answer(to: hello, at: url, &exchange, until: { TLSAnswer($0) != nil }) else {
      throw CannotTell("nothing accepts connections at \(server.text)")
    }
    let answer = TLSAnswer(bytes)
    exchange.responseBody = offer.name(of: answer)
    return answer
  }

  /// Sends bytes, and returns the bytes of the answer; nil if nothing accepts connections.
  private func answer(
    to bytes: [UInt8], at url: String, _ exchange: inout RecordedExchange,
    until isComplete: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> [UInt8]? {
    guard hasNetwork else { throw CannotTell("there is no network") }
    try await budget.take()
    let connection = connection(to: url)
    switch await SystemThread.run({ connection.exchange(bytes, until: isComplete) }) ?? .failed("no thread") {
    case .received(let bytes): return bytes
    case .unreachable(let reason):
      exchange.failure = reason
      return nil
    case .handshakeFailed:
      exchange.failure = "the TLS handshake failed"
      throw CannotTell("the TLS handshake failed")
    case .failed(let reason):
      exchange.failure = reason
      throw CannotTell("no connection to the server: \(reason)")
    }
  }

  /// The server's host and port, as in `Host`.
  var hostField: String {
    String(server.text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" })
  }

  private func connection(to url: String) -> RawConnection {
    var connection = RawConnection(to: url)
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
    guard let end = text.firstRange(of: "\r\n\r\n"), let length = header("content-length") else { return false }
    return Int(length).map { text[end.upperBound...].utf8.count >= $0 } ?? false
  }
}
