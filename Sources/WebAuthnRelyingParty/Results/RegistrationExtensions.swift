// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What came of the extensions that a registration asked for. What was not asked for is not here: the raw outputs beside
/// it have it.
public struct RegistrationExtensions: Hashable, Sendable {
  /// What the client says. Nothing signs it: a browser that lies, lies here.
  public let fromClient: RegistrationClientOutputs

  /// What the authenticator says. It is signed where the attestation is: believe it as far as you believe that.
  public let fromAuthenticator: RegistrationAuthenticatorOutputs

  /// The public key of the browser's own key (Secure Payment Confirmation), a COSE key, where `payment` was asked for and
  /// the browser has shown that it has the private one.
  public let browserBoundPublicKey: [UInt8]?

  static let none = Self(
    fromClient: RegistrationClientOutputs(), fromAuthenticator: RegistrationAuthenticatorOutputs(),
    browserBoundPublicKey: nil)
}
