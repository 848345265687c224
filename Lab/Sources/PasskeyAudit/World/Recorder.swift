// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnClient

/// Records exchanges for reports, without secrets.
package final class Recorder: Sendable {
  private let state = Locked(State())

  private struct State {
    var exchanges: [RecordedExchange] = []
    var mask = SecretMask()
  }

  // 40 exchanges [the longest check without samples sends about 20]
  private static let maximumCount = 40
  // 16 KiB [reports cut longer bodies anyway]
  private static let maximumBodyByteCount = 1 << 14
  // 8 characters [shorter texts would also be replaced where they are no secrets]
  private static let minimumSecretLength = 8

  /// Adds secrets, which are then replaced wherever they occur.
  package func hide(_ secrets: [String]) {
    state.withLock { (state) in
      for secret in secrets where secret.utf8.count >= Self.minimumSecretLength { state.mask.insert(secret) }
    }
  }

  /// Adds a code that a person can type, which is then replaced wherever it occurs. It can be shorter than tokens; texts
  /// of three characters occur anywhere.
  package func hide(code: String) {
    state.withLock { $0.mask.insert(code) }
  }

  /// Returns the exchanges since the last call. The middle of a long list is left out.
  package func takeExchanges() -> [RecordedExchange] {
    state.withLock { (state) in
      defer { state.exchanges = [] }
      return state.exchanges.map { Self.hiding(by: state.mask, in: $0) }
    }
  }

  /// Records a request and its outcome.
  package func record(_ request: ServerRequest, to server: ServerAddress, _ outcome: Result<ServerReply, ClientError>) {
    var headers = request.headers.map { (name: $0.name, value: $0.value) }
    if let type = request.contentType { headers.append(("content-type", type)) }
    if request.bearer != nil { headers.append(("authorization", "Bearer \(Self.mark)")) }
    if request.cookies?.isEmpty == false { headers.append(("cookie", Self.mark)) }
    var exchange = RecordedExchange(
      method: request.method, url: server.text + request.path,
      requestHeaders: headers.map { "\($0.name): \(Self.shown($0.value, of: $0.name))" },
      requestBody: Self.text(request.body), responseHeaders: [], responseBody: "")
    switch outcome {
    case .success(let reply):
      exchange.status = reply.status
      exchange.responseHeaders = reply.headers.map { "\($0.name): \(Self.shown($0.value, of: $0.name))" }
      exchange.responseBody = Self.text(reply.body)
    case .failure(let error): exchange.failure = "\(error)"
    }
    add(exchange)
  }

  /// Records an exchange that was made by other means than a ``ServerRequest``. Of secrets, only cookies in a response are
  /// replaced.
  package func record(_ exchange: RecordedExchange) {
    var exchange = exchange
    if exchange.responseBody.hasPrefix("HTTP/") { exchange.responseBody = Self.withoutCookies(exchange.responseBody) }
    add(exchange)
  }

  private func add(_ exchange: RecordedExchange) {
    state.withLock { (state) in
      state.exchanges.append(exchange)
      if state.exchanges.count > Self.maximumCount { state.exchanges.remove(at: Self.maximumCount / 4) }
    }
  }

  private static let mark = SecretMask.mark

  /// Returns the value of a header field without secrets. Attributes of cookies are kept, because checks judge them.
  private static func shown(_ value: String, of name: String) -> String {
    switch name {
    case "authorization": "Bearer \(mark)"
    case "set-cookie":
      "\(value.prefix { $0 != "=" })=\(mark)\(value.drop { $0 != ";" })"
    case let name where name == "cookie" || name.hasSuffix("step-up") || name.contains("token"):
      value.utf8.count < minimumSecretLength ? value : mark
    default: value
    }
  }

  /// Returns a whole response as text, with the values of cookies replaced.
  private static func withoutCookies(_ response: String) -> String {
    response.split(separator: "\r\n", omittingEmptySubsequences: false).map { (line) in
      guard line.lowercased().hasPrefix("set-cookie:") else { return String(line) }
      return "\(line.prefix(11)) \(shown(String(line.dropFirst(11).drop { $0 == " " }), of: "set-cookie"))"
    }.joined(separator: "\r\n")
  }

  /// Returns the start of a body as text, with the values of secret members replaced.
  private static func text(_ body: [UInt8]) -> String {
    var text: [UInt8] = []
    var end = 0
    if let value = try? JSON.parse(body[...], maximumSize: body.count) {
      var ranges: [Range<Int>] = []
      collectSecrets(of: value, into: &ranges)
      for range in ranges where text.count < maximumBodyByteCount {
        text += body[end..<range.lowerBound]
        text += "\"\(mark)\"".utf8
        end = range.upperBound
      }
    }
    text += body[end...]
    return String(decoding: text.prefix(maximumBodyByteCount), as: UTF8.self)
  }

  private static func collectSecrets(of value: JSONValue, into ranges: inout [Range<Int>]) {
    switch value.kind {
    case .object:
      guard let members = try? value.members else { return }
      for member in members {
        if member.value.kind == .string, isSecret(member.name.lowercased()) {
          ranges.append(member.value.encoded.startIndex..<member.value.encoded.endIndex)
        } else {
          collectSecrets(of: member.value, into: &ranges)
        }
      }
    case .array:
      guard let elements = try? value.array else { return }
      for element in elements { collectSecrets(of: element, into: &ranges) }
    default: break
    }
  }

  private static func isSecret(_ name: String) -> Bool {
    name == "grant" || name == "jwt" || name.contains("secret") || name.contains("token") && !name.contains("type")
  }

  private static func hiding(by mask: SecretMask, in exchange: RecordedExchange) -> RecordedExchange {
    var exchange = exchange
    exchange.url = mask(exchange.url)
    exchange.requestHeaders = exchange.requestHeaders.map { mask($0) }
    exchange.requestBody = mask(exchange.requestBody)
    exchange.responseHeaders = exchange.responseHeaders.map { mask($0) }
    exchange.responseBody = mask(exchange.responseBody)
    return exchange
  }
}
