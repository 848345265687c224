// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What an authenticator says of extensions at a sign-in, in authenticator data (CTAP 2.3 §12). The credential's key signs
/// it. Nil where it says nothing of an extension.
public struct AuthenticationAuthenticatorOutputs: Hashable, Sendable {
  /// The small blob; empty where the authenticator keeps none.
  public var credBlob: [UInt8]?

  /// What was evaluated with the credential's secret, encrypted for the client.
  public var hmacSecret: [UInt8]?

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
    credBlob = try reader.bytes(ExtensionName.credBlob)
    hmacSecret = try reader.encryptedSecrets(ExtensionName.hmacSecret)
    uvm = try reader.methods(ExtensionName.uvm)
    thirdPartyPayment = try reader.bool(ExtensionName.thirdPartyPayment)
  }
}

extension AuthenticationAuthenticatorOutputs: CustomStringConvertible {
  /// What is said, in words.
  public var description: String {
    ExtensionWords.list([
      (ExtensionName.credBlob, credBlob.map { "\($0.count) bytes" }),
      (ExtensionName.hmacSecret, hmacSecret.map { "\($0.count) bytes" }), (ExtensionName.uvm, uvm),
      (ExtensionName.thirdPartyPayment, thirdPartyPayment),
    ])
  }
}
