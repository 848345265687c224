// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The outputs of the extensions that a registration requested. Outputs that were not requested appear in the raw
/// outputs of ``VerifiedRegistration`` only.
public struct RegistrationExtensions: Hashable, Sendable {
  /// The outputs of the client. They are not signed, so a malicious browser can forge them. A malformed output is nil.
  public let fromClient: RegistrationClientOutputs

  /// The parse errors of malformed client outputs, by extension name. The ceremony succeeds without these outputs,
  /// because they are not signed and the standard makes every extension optional.
  public let malformedClientOutputs: [String: FormatError]

  /// The outputs of the authenticator. Only the attestation signs them: trust them as much as the attestation.
  public let fromAuthenticator: RegistrationAuthenticatorOutputs

  /// The public key of the browser-bound key (Secure Payment Confirmation), as a COSE key. Set if `payment` was
  /// requested and the browser proved possession of the private key.
  public let browserBoundPublicKey: [UInt8]?

  static let none = Self(
    fromClient: RegistrationClientOutputs(), malformedClientOutputs: [:],
    fromAuthenticator: RegistrationAuthenticatorOutputs(), browserBoundPublicKey: nil)
}
