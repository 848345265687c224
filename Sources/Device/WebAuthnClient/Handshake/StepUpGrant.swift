// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnBrowser

/// The confirmation of one action. It is sent with exactly that request, and the server accepts it once.
public struct StepUpGrant: Sendable {
  /// The confirmed action.
  public let demand: StepUpDemand

  /// When it expires, if the server says so.
  public let expiry: UnixTime?

  let token: SecretBytes

  /// The receipt as JSON, if one was asked for and the server gave it. Nothing in it is verified.
  public private(set) var receipt: [UInt8]?
}

extension StepUpGrant: CustomStringConvertible, CustomReflectable {
  /// The action.
  public var description: String { "a confirmation of \(demand.method) \(demand.path.prefix { $0 != "?" })" }

  /// An empty mirror, so that `dump` and failing tests do not print the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StepUpGrant {
  /// Creates a grant that was obtained elsewhere, for the action that it is said to confirm.
  ///
  /// - Throws: `client.request-malformed` if the text cannot be a token: it is empty, too long or has a space.
  package init(exposedText: String, for demand: StepUpDemand) throws(ClientError) {
    let token = SecretBytes(utf8: exposedText)
    guard Handshake.isToken(token) else { throw ClientError(.requestMalformed, "a grant contains no spaces") }
    self.init(demand: demand, expiry: nil, token: token)
  }

  /// The grant's token, for a caller that sends the request by other means.
  public var exposedText: String { token.exposedText }
}

/// The outcome of a request.
public enum RequestOutcome: Sendable {
  /// The server answered, with any status.
  case answered(ServerReply)

  /// The server did not carry out the request: the user has to confirm this action first.
  case needsStepUp(StepUpDemand, ServerReply)
}
