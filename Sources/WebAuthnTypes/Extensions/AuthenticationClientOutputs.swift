// SPDX-License-Identifier: Apache-2.0

/// What a client says of extensions at a sign-in. Nothing signs it. Nil where it says nothing of an extension.
public struct AuthenticationClientOutputs: Hashable, Sendable {
  /// Whether a credential from the days of U2F was used.
  public var appID: Bool?

  /// What the credential's pseudo-random function gave.
  public var prf: PRFOutputs?

  /// The large blob that was read, or whether it was written.
  public var largeBlob: LargeBlobOutputs?

  /// The small blob.
  public var getCredBlob: [UInt8]?

  /// What was evaluated with the credential's secret.
  public var hmacGetSecret: HMACSecretOutputs?

  /// How the user was verified.
  public var uvm: [UserVerificationMethod]?

  /// The signature of the browser's own key.
  public var payment: PaymentOutputs?

  /// Says nothing yet.
  public init() {}

  /// Reads what a response says; what is not known in it is passed over.
  public init(_ extensions: ClientExtensions) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    let outputs = ExtensionMembers(extensions)
    appID = try outputs.boolIfPresent(ExtensionName.appID)
    if let members = try outputs.objectIfPresent(ExtensionName.prf) { prf = try PRFOutputs(members) }
    if let members = try outputs.objectIfPresent(ExtensionName.largeBlob) { largeBlob = try LargeBlobOutputs(members) }
    getCredBlob = try outputs.bytesIfPresent(ExtensionName.getCredBlob)
    if let members = try outputs.objectIfPresent(ExtensionName.hmacGetSecret) {
      hmacGetSecret = try HMACSecretOutputs(members)
    }
    uvm = try outputs.methodsIfPresent(ExtensionName.uvm)
    if let members = try outputs.objectIfPresent(ExtensionName.payment) { payment = try PaymentOutputs(members) }
  }

  /// What is said, by name: for a client to put into its response.
  public var extensions: ClientExtensions {
    let values: [String: ExtensionValue?] = [
      ExtensionName.appID: appID.map { .bool($0) }, ExtensionName.prf: prf?.value,
      ExtensionName.largeBlob: largeBlob?.value, ExtensionName.getCredBlob: getCredBlob.map { .base64URL($0) },
      ExtensionName.hmacGetSecret: hmacGetSecret?.value,
      ExtensionName.uvm: uvm.map { UserVerificationMethod.value(of: $0) },
      ExtensionName.payment: payment?.value,
    ]
    return ClientExtensions(values.compactMapValues { $0 })
  }
}

extension AuthenticationClientOutputs: CustomStringConvertible {
  /// What is said, in words and without secrets.
  public var description: String {
    ExtensionWords.list([
      (ExtensionName.appID, appID), (ExtensionName.prf, prf), (ExtensionName.largeBlob, largeBlob),
      (ExtensionName.getCredBlob, getCredBlob.map { "\($0.count) bytes" }),
      (ExtensionName.hmacGetSecret, hmacGetSecret), (ExtensionName.uvm, uvm), (ExtensionName.payment, payment),
    ])
  }
}

extension ExtensionMembers {
  func methodsIfPresent(_ name: String) throws(FormatError) -> [UserVerificationMethod]? {
    guard let entries = try arrayIfPresent(name) else { return nil }
    guard let methods = UserVerificationMethod.list(entries) else { throw invalid(name) }
    return methods
  }
}
