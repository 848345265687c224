// SPDX-License-Identifier: Apache-2.0

/// What a client says of extensions at a registration. Nothing signs it. Nil where it says nothing of an extension.
public struct RegistrationClientOutputs: Hashable, Sendable {
  /// Whether the credential is discoverable.
  public var credProps: CredentialProperties?

  /// Whether the credential has a pseudo-random function, and what it gave.
  public var prf: PRFOutputs?

  /// Whether the credential has room for a large blob.
  public var largeBlob: LargeBlobOutputs?

  /// Whether the small blob is kept.
  public var credBlob: Bool?

  /// Whether the credential has a secret.
  public var hmacCreateSecret: Bool?

  /// What was evaluated with the secret at once.
  public var hmacGetSecret: HMACSecretOutputs?

  /// How the user was verified.
  public var uvm: [UserVerificationMethod]?

  /// Whether excluded credentials from the days of U2F were looked for.
  public var appIDExclude: Bool?

  /// The signature of the browser's own key.
  public var payment: PaymentOutputs?

  /// Says nothing yet.
  public init() {}

  /// Reads what a response says; what is not known in it is passed over.
  public init(_ extensions: ClientExtensions) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    let outputs = ExtensionMembers(extensions)
    if let members = try outputs.objectIfPresent(ExtensionName.credProps) {
      credProps = try CredentialProperties(members)
    }
    if let members = try outputs.objectIfPresent(ExtensionName.prf) { prf = try PRFOutputs(members) }
    if let members = try outputs.objectIfPresent(ExtensionName.largeBlob) { largeBlob = try LargeBlobOutputs(members) }
    credBlob = try outputs.boolIfPresent(ExtensionName.credBlob)
    hmacCreateSecret = try outputs.boolIfPresent(ExtensionName.hmacCreateSecret)
    if let members = try outputs.objectIfPresent(ExtensionName.hmacGetSecret) {
      hmacGetSecret = try HMACSecretOutputs(members)
    }
    uvm = try outputs.methodsIfPresent(ExtensionName.uvm)
    appIDExclude = try outputs.boolIfPresent(ExtensionName.appIDExclude)
    if let members = try outputs.objectIfPresent(ExtensionName.payment) { payment = try PaymentOutputs(members) }
  }

  /// What is said, by name: for a client to put into its response.
  public var extensions: ClientExtensions {
    let values: [String: ExtensionValue?] = [
      ExtensionName.credProps: credProps?.value, ExtensionName.prf: prf?.value,
      ExtensionName.largeBlob: largeBlob?.value, ExtensionName.credBlob: credBlob.map { .bool($0) },
      ExtensionName.hmacCreateSecret: hmacCreateSecret.map { .bool($0) },
      ExtensionName.hmacGetSecret: hmacGetSecret?.value,
      ExtensionName.uvm: uvm.map { UserVerificationMethod.value(of: $0) },
      ExtensionName.appIDExclude: appIDExclude.map { .bool($0) }, ExtensionName.payment: payment?.value,
    ]
    return ClientExtensions(values.compactMapValues { $0 })
  }
}

extension RegistrationClientOutputs: CustomStringConvertible {
  /// What is said, in words and without secrets.
  public var description: String {
    ExtensionWords.list([
      (ExtensionName.credProps, credProps), (ExtensionName.prf, prf), (ExtensionName.largeBlob, largeBlob),
      (ExtensionName.credBlob, credBlob), (ExtensionName.hmacCreateSecret, hmacCreateSecret),
      (ExtensionName.hmacGetSecret, hmacGetSecret), (ExtensionName.uvm, uvm),
      (ExtensionName.appIDExclude, appIDExclude), (ExtensionName.payment, payment),
    ])
  }
}
