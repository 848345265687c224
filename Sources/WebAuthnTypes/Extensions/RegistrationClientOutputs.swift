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

  /// Reads what a response says; extensions that are not known are ignored.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member` for the first malformed output.
  public init(_ extensions: ClientExtensions) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    var reader = ClientOutputReader(extensions, reportsMalformed: false)
    try read(&reader)
  }

  /// Reads what a response says, and adds the fault of each malformed output to `malformed` by the extension's name.
  ///
  /// - Throws: For `payment`, whose output decides what is accepted.
  package init(_ extensions: ClientExtensions, malformed: inout [String: FormatError]) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    var reader = ClientOutputReader(extensions, reportsMalformed: true)
    try read(&reader)
    malformed = reader.malformed
  }

  private mutating func read(_ reader: inout ClientOutputReader) throws(FormatError) {
    credProps = try reader.object(ExtensionName.credProps, CredentialProperties.init)
    prf = try reader.object(ExtensionName.prf, PRFOutputs.init)
    largeBlob = try reader.object(ExtensionName.largeBlob, LargeBlobOutputs.init)
    credBlob = try reader.bool(ExtensionName.credBlob)
    hmacCreateSecret = try reader.bool(ExtensionName.hmacCreateSecret)
    hmacGetSecret = try reader.object(ExtensionName.hmacGetSecret, HMACSecretOutputs.init)
    uvm = try reader.methods(ExtensionName.uvm)
    appIDExclude = try reader.bool(ExtensionName.appIDExclude)
    payment = try reader.object(ExtensionName.payment, PaymentOutputs.init)
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
