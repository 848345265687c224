// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// How a command proves that the user is verified.
enum Authorization: Sendable {
  /// No user verification.
  case none
  /// Built-in user verification during the command (`uv`).
  case byCommand
  /// A token from an earlier user verification.
  case token(PINUVAuthToken)

  /// Whether the user is verified in any way.
  var isGiven: Bool {
    if case .none = self { false } else { true }
  }

  /// Whether user verification takes place during the command.
  var isByCommand: Bool {
    if case .byCommand = self { true } else { false }
  }

  /// Returns the token's authentication tag and its protocol version, or nil without a token.
  func parameters(for message: Bytes) -> (tag: Bytes, version: UInt64)? {
    guard case .token(let token) = self else { return nil }
    return (token.authenticate(message), token.version.rawValue)
  }

  /// The value of the option `uv`. It is not sent with a token.
  var userVerificationOption: Bool? { isByCommand ? true : nil }
}

/// A request that can carry user verification: makeCredential or getAssertion.
protocol AuthorizedRequest {
  var clientDataHash: Bytes { get }
  var options: CommandOptions { get set }
  var pinUVAuthParameter: Bytes? { get set }
  var pinUVAuthProtocol: UInt64? { get set }
}

extension MakeCredentialRequest: AuthorizedRequest {}

extension GetAssertionRequest: AuthorizedRequest {}

extension AuthorizedRequest {
  /// Adds the user verification to the request.
  mutating func add(_ authorization: Authorization) {
    options.userVerification = authorization.userVerificationOption
    guard let (tag, version) = authorization.parameters(for: clientDataHash) else { return }
    (pinUVAuthParameter, pinUVAuthProtocol) = (tag, version)
  }
}
