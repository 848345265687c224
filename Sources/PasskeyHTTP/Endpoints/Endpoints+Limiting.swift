// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemCrypto
internal import WireFormats

// A ceremony is counted against these budgets:
//
//   request                           counted against
//   of a stranger                     its address
//   of a known client                 the account at its address, and the known clients of its address together
//   beginning, by a stranger          the account at the stranger's address
//   beginning, by a known client      the client
//   beginning, in a session           the account's sessions
//
// So a flood spends the budgets of the addresses that it comes from. It slows strangers at those addresses, and never a
// client that has signed in to the account before.

extension Endpoints {
  /// Counts a request that begins or finishes a ceremony.
  func limitCeremony(_ call: Call) throws(RateLimitExceeded) {
    guard let mark = call.marks.first else {
      return try addressLimiter.require(.address(call.request.client), at: call.instant)
    }
    try addressLimiter.require(.account(mark.account, at: call.request.client), at: call.instant)
    try knownAddressLimiter.require(.address(call.request.client), at: call.instant)
  }

  /// Counts the beginning of a ceremony for an address, whether there is such an account or not.
  func limit(_ email: EmailAddress, _ call: Call) throws(RateLimitExceeded) {
    if let mark = knownClients.mark(for: email, among: call.marks) {
      try accountLimiter.require(.client(mark.client, of: mark.account), at: call.instant)
    } else {
      try accountLimiter.require(.account(email.text, from: call.request.client), at: call.instant)
    }
  }

  /// Counts the beginning of a ceremony in a session, apart from those that strangers begin.
  func limit(_ session: AuthenticatedSession, _ call: Call) throws(RateLimitExceeded) {
    try accountLimiter.require(.account(of: session), at: call.instant)
  }

  /// The marks that a request shows: in a cookie beside the session's, or in a header field.
  func marks(of request: HTTPRequest, at now: Timestamp) -> [KnownClients.Mark] {
    let text: String?
    switch profile.tokens {
    case .bearer: text = request.headers[Self.clientHeader]
    case .cookie(let name, let keepsPlainName):
      text = request.headers.cookie(
        name + Self.clientSuffix, isSecure: isSecure(request), keepsPlainName: keepsPlainName)
    }
    return text.map { knownClients.read($0, at: now) } ?? []
  }

  /// The marks with which a client leaves that has signed in.
  func marks(of opened: OpenedSession, _ call: Call) -> String? {
    try? knownClients.mark(opened.account.email, after: call.marks, at: call.context.time)
  }

  /// The header field with which a client without cookies shows its marks.
  static let clientHeader = "passkey-client"

  static let clientSuffix = ".client"
}

extension RateLimitKey {
  /// The key of a signed-in account. No e-mail address has the form of a handle.
  static func account(of session: AuthenticatedSession) -> RateLimitKey {
    .account("\(session.account.handle)")
  }
}
