// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What an authenticator says of extensions at a registration, in authenticator data (CTAP 2.3 §12). It is signed where
/// the attestation is, and otherwise not. Nil where it says nothing of an extension.
public struct RegistrationAuthenticatorOutputs: Hashable, Sendable {
  /// What the authenticator demands before it uses the credential.
  public var credProtect: CredentialProtectionPolicy?

  /// Whether the small blob is kept.
  public var credBlob: Bool?

  /// How many code points a PIN has at least.
  public var minPinLength: UInt64?

  /// Whether simple PINs are refused.
  public var pinComplexityPolicy: Bool?

  /// Whether the credential has a secret, on which `prf` may stand.
  public var hmacSecret: Bool?

  /// What was evaluated at once, encrypted for the client.
  public var hmacSecretAtCreation: [UInt8]?

  /// How the user was verified.
  public var uvm: [UserVerificationMethod]?

  /// Whether the credential may be used for payments on other sites.
  public var thirdPartyPayment: Bool?

  /// Says nothing yet.
  public init() {}

  /// Reads what authenticator data say; what is not known in them is passed over.
  public init(_ outputs: CBORMap) throws(FormatError) {
    try self.init(outputs) { _ in true }
  }

  /// Reads of it what is wanted, by the authenticator's names.
  package init(_ outputs: CBORMap, where isWanted: @escaping (String) -> Bool) throws(FormatError) {
    let reader = AuthenticatorOutputReader(outputs, where: isWanted)
    credProtect = try reader.protectionPolicy(ExtensionName.credProtect)
    credBlob = try reader.bool(ExtensionName.credBlob)
    minPinLength = try reader.unsigned(ExtensionName.minPinLength)
    pinComplexityPolicy = try reader.bool(ExtensionName.pinComplexityPolicy)
    hmacSecret = try reader.bool(ExtensionName.hmacSecret)
    hmacSecretAtCreation = try reader.encryptedSecrets(ExtensionName.hmacSecretAtCreation)
    uvm = try reader.methods(ExtensionName.uvm)
    thirdPartyPayment = try reader.bool(ExtensionName.thirdPartyPayment)
  }
}

extension RegistrationAuthenticatorOutputs: CustomStringConvertible {
  /// What is said, in words.
  public var description: String {
    ExtensionWords.list([
      (ExtensionName.credProtect, credProtect), (ExtensionName.credBlob, credBlob),
      (ExtensionName.minPinLength, minPinLength), (ExtensionName.pinComplexityPolicy, pinComplexityPolicy),
      (ExtensionName.hmacSecret, hmacSecret),
      (ExtensionName.hmacSecretAtCreation, hmacSecretAtCreation.map { "\($0.count) bytes" }),
      (ExtensionName.uvm, uvm), (ExtensionName.thirdPartyPayment, thirdPartyPayment),
    ])
  }
}
