// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTransfers

/// Exchanges assertions for access tokens and keeps the current one. Concurrent callers share one exchange.
actor FCMAccessToken {
  /// The reason why there is no token.
  struct Unavailable: Error {
    let result: DeliveryResult
  }

  private var account: FCMServiceAccount
  private let line: DeliveryLine
  private let now: @Sendable () -> UnixTime
  private var token: (text: String, expiry: UnixTime)?
  private var exchange: Task<Result<String, Unavailable>, Never>?

  // 2 minutes [for requests in progress, and for clocks that differ]
  private static let margin: Duration = .seconds(120)

  init(_ account: FCMServiceAccount, _ line: DeliveryLine, now: @escaping @Sendable () -> UnixTime) {
    self.account = account
    self.line = line
    self.now = now
  }

  /// The project of the service account.
  var project: String { account.project }

  func replace(_ account: FCMServiceAccount) {
    self.account = account
    token = nil
  }

  /// Returns a valid token.
  func text() async throws(Unavailable) -> String {
    if let token, now() < token.expiry { return token.text }
    let running = exchange ?? Task { await self.fetch() }
    exchange = running
    let result = await running.value
    return try result.get()
  }

  /// Discards the refused token, so that the next call fetches another one. Does nothing if it is no longer the current
  /// token.
  func drop(_ refused: String) {
    if token?.text == refused { token = nil }
  }

  private func fetch() async -> Result<String, Unavailable> {
    defer { exchange = nil }
    let start = now()
    let assertion: String
    do throws(PasskeyCryptoError) {
      assertion = try account.assertion(now: start)
    } catch {
      return .failure(
        Unavailable(result: .retry(after: nil, reason: "cannot sign the assertion: \(error.code.rawValue)")))
    }
    var content = HTTPContent(
      method: "POST",
      body: Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8),
      userAgent: DeliveryLine.userAgent)
    content.version = .http2
    content.contentType = "application/x-www-form-urlencoded"
    switch await line.send(content, to: account.tokenURL.text) {
    case .failure(let fault): return .failure(Unavailable(result: DeliveryResult(fault)))
    case .success(let reply):
      let body = try? JSON.parse(reply.body)
      guard reply.status == 200, let text = try? body?["access_token"]?.string, Self.isToken(text),
        let seconds = try? body?["expires_in"]?.integer(Int64.self), seconds > 0
      else {
        let reason = "the token exchange failed with status \(reply.status)"
        return .failure(Unavailable(result: DeliveryResult(retrying: reply, reason, now: now())))
      }
      token = (text, start + .seconds(min(seconds, 86_400)) - Self.margin)
      return .success(text)
    }
  }

  /// Whether the text can be a bearer token in a header field (RFC 6750 §2.1).
  private static func isToken(_ text: String) -> Bool {
    1...8_192 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._~+/=".utf8.contains($0) }
  }
}
