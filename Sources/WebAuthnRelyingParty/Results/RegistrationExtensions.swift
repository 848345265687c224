// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What came of the extensions that a registration asked for. What was not asked for is not here: the raw outputs beside
/// it have it.
public struct RegistrationExtensions: Hashable, Sendable {
  /// What the client says. Nothing signs it: a browser that lies, lies here. A malformed output is nil here.
  public let fromClient: RegistrationClientOutputs

  /// The malformed outputs of the client, by the extension's name: why each could not be read. The ceremony succeeds
  /// without them, because nothing signs them and the standard makes every extension optional.
  public let malformedClientOutputs: [String: FormatError]

  /// What the authenticator says. It is signed where the attestation is: believe it as far as you believe that.
  public let fromAuthenticator: RegistrationAuthenticatorOutputs

  /// The public key of the browser's own key (Secure Payment Confirmation), a COSE key, where `payment` was asked for and
  /// the browser has shown that it has the private one.
  public let browserBoundPublicKey: [UInt8]?

  static let none = Self(
    fromClient: RegistrationClientOutputs(), malformedClientOutputs: [:],
    fromAuthenticator: RegistrationAuthenticatorOutputs(), browserBoundPublicKey: nil)
}
