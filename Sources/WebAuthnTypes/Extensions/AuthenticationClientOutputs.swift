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
  /// - Throws: For `appid` and `payment`, whose outputs decide what is accepted.
  package init(_ extensions: ClientExtensions, malformed: inout [String: FormatError]) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    var reader = ClientOutputReader(extensions, reportsMalformed: true)
    try read(&reader)
    malformed = reader.malformed
  }

  private mutating func read(_ reader: inout ClientOutputReader) throws(FormatError) {
    appID = try reader.bool(ExtensionName.appID)
    prf = try reader.object(ExtensionName.prf, PRFOutputs.init)
    largeBlob = try reader.object(ExtensionName.largeBlob, LargeBlobOutputs.init)
    getCredBlob = try reader.bytes(ExtensionName.getCredBlob)
    hmacGetSecret = try reader.object(ExtensionName.hmacGetSecret, HMACSecretOutputs.init)
    uvm = try reader.methods(ExtensionName.uvm)
    payment = try reader.object(ExtensionName.payment, PaymentOutputs.init)
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
