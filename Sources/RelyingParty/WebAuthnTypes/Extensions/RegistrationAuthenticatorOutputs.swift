// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The authenticator's extension outputs for a registration (CTAP 2.3 §12), from authenticator data. They are signed
/// only if the attestation statement is. An absent output is nil.
package struct RegistrationAuthenticatorOutputs: Hashable, Sendable {
  /// The protection policy of the credential.
  package var credProtect: RegistrationExtension.CredentialProtection?

  /// Whether the authenticator stored the `credBlob`.
  package var credBlob: Bool?

  /// The minimum length of a PIN in code points.
  package var minPinLength: UInt64?

  /// Whether the authenticator enforces a PIN complexity policy.
  package var pinComplexityPolicy: Bool?

  /// Whether the credential has an HMAC secret, which `prf` requires.
  package var hmacSecret: Bool?

  /// The results of `hmac-secret-mc`, encrypted for the client.
  package var hmacSecretAtCreation: [UInt8]?

  /// The methods by which the user was verified.
  package var uvm: [UserVerificationMethod]?

  /// Whether other origins may request payments with the credential.
  package var thirdPartyPayment: Bool?

  /// Creates outputs that are all absent.
  package init() {}

  /// Reads the outputs from authenticator data. Unknown extensions are ignored.
  ///
  /// - Throws: `authenticator-extensions.invalid-member`.
  package init(_ outputs: CBORMap) throws(FormatError) {
    try self.init(outputs) { _ in true }
  }

  /// Reads only the outputs whose authenticator-side names satisfy `isIncluded`.
  package init(_ outputs: CBORMap, where isIncluded: @escaping (String) -> Bool) throws(FormatError) {
    let reader = AuthenticatorOutputReader(outputs, where: isIncluded)
    credProtect = try reader.protectionPolicy(ExtensionName.credProtect)
    credBlob = try reader.boolIfPresent(ExtensionName.credBlob)
    minPinLength = try reader.unsignedIfPresent(ExtensionName.minPinLength)
    pinComplexityPolicy = try reader.boolIfPresent(ExtensionName.pinComplexityPolicy)
    hmacSecret = try reader.boolIfPresent(ExtensionName.hmacSecret)
    hmacSecretAtCreation = try reader.encryptedSecrets(ExtensionName.hmacSecretAtCreation)
    uvm = try reader.methods(ExtensionName.uvm)
    thirdPartyPayment = try reader.boolIfPresent(ExtensionName.thirdPartyPayment)
  }
}

extension RegistrationAuthenticatorOutputs: CustomStringConvertible {
  /// The outputs that are present, for a log line.
  package var description: String {
    ExtensionSummary.list([
      (ExtensionName.credProtect, credProtect), (ExtensionName.credBlob, credBlob),
      (ExtensionName.minPinLength, minPinLength), (ExtensionName.pinComplexityPolicy, pinComplexityPolicy),
      (ExtensionName.hmacSecret, hmacSecret),
      (ExtensionName.hmacSecretAtCreation, hmacSecretAtCreation.map { "\($0.count) bytes" }),
      (ExtensionName.uvm, uvm), (ExtensionName.thirdPartyPayment, thirdPartyPayment),
    ])
  }
}
