// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What came of the extensions that a sign-in asked for. What was not asked for is not here: the raw outputs beside it have
/// it.
public struct AuthenticationExtensions: Hashable, Sendable {
  /// What the client says. Nothing signs it: a browser that lies, lies here.
  public let fromClient: AuthenticationClientOutputs

  /// What the authenticator says. The credential's key has signed it.
  public let fromAuthenticator: AuthenticationAuthenticatorOutputs

  /// The public key of the browser's own key (Secure Payment Confirmation), a COSE key, where a payment was confirmed and
  /// the browser has shown that it has the private one.
  public let browserBoundPublicKey: [UInt8]?

  static let none = Self(
    fromClient: AuthenticationClientOutputs(), fromAuthenticator: AuthenticationAuthenticatorOutputs(),
    browserBoundPublicKey: nil)
}
