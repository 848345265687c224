// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What came of the extensions that a sign-in asked for. What was not asked for is not here: the raw outputs beside it have
/// it.
public struct AuthenticationExtensions: Hashable, Sendable {
  /// What the client says. Nothing signs it: a browser that lies, lies here. A malformed output is nil here.
  public let fromClient: AuthenticationClientOutputs

  /// The malformed outputs of the client, by the extension's name: why each could not be read. The ceremony succeeds
  /// without them, because nothing signs them and the standard makes every extension optional.
  public let malformedClientOutputs: [String: FormatError]

  /// What the authenticator says. The credential's key has signed it.
  public let fromAuthenticator: AuthenticationAuthenticatorOutputs

  /// The public key of the browser's own key (Secure Payment Confirmation), a COSE key, where a payment was confirmed and
  /// the browser has shown that it has the private one.
  public let browserBoundPublicKey: [UInt8]?

  static let none = Self(
    fromClient: AuthenticationClientOutputs(), malformedClientOutputs: [:],
    fromAuthenticator: AuthenticationAuthenticatorOutputs(), browserBoundPublicKey: nil)
}
