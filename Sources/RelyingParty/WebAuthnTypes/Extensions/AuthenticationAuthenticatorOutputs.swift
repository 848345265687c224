// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The authenticator's extension outputs for a sign-in (CTAP 2.3 §12), from authenticator data. The credential's
/// signature covers them. An absent output is nil.
package struct AuthenticationAuthenticatorOutputs: Hashable, Sendable {
  /// The stored `credBlob`; empty if the authenticator has none.
  package var credBlob: [UInt8]?

  /// The results of `hmac-secret`, encrypted for the client.
  package var hmacSecret: [UInt8]?

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
    credBlob = try reader.byteArrayIfPresent(ExtensionName.credBlob)
    hmacSecret = try reader.encryptedSecrets(ExtensionName.hmacSecret)
    uvm = try reader.methods(ExtensionName.uvm)
    thirdPartyPayment = try reader.boolIfPresent(ExtensionName.thirdPartyPayment)
  }
}

extension AuthenticationAuthenticatorOutputs: CustomStringConvertible {
  /// The outputs that are present, for a log line.
  package var description: String {
    ExtensionSummary.list([
      (ExtensionName.credBlob, credBlob.map { "\($0.count) bytes" }),
      (ExtensionName.hmacSecret, hmacSecret.map { "\($0.count) bytes" }), (ExtensionName.uvm, uvm),
      (ExtensionName.thirdPartyPayment, thirdPartyPayment),
    ])
  }
}
