// SPDX-License-Identifier: Apache-2.0

/// The client's extension outputs for a sign-in. They are not signed. An absent output is nil.
package struct AuthenticationClientOutputs: Hashable, Sendable {
  /// Whether the client used a U2F credential by its AppID.
  package var appID: Bool?

  /// The results of the credential's pseudo-random function.
  package var prf: PRFOutputs?

  /// The large blob that was read, or whether it was written.
  package var largeBlob: LargeBlobOutputs?

  /// The stored `credBlob`.
  package var getCredBlob: [UInt8]?

  /// The results of the credential's HMAC secret.
  package var hmacGetSecret: HMACSecretOutputs?

  /// The methods by which the user was verified.
  package var uvm: [UserVerificationMethod]?

  /// The signature made with the browser-bound key.
  package var payment: PaymentOutputs?

  /// Creates outputs that are all absent.
  package init() {}

  /// Reads the outputs of a response. Unknown extensions are ignored.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member` for the first malformed output.
  package init(_ extensions: ClientExtensions) throws(FormatError) {
    guard !extensions.isEmpty else { return }
    var reader = ClientOutputReader(extensions, reportsMalformed: false)
    try read(&reader)
  }

  /// Reads the outputs of a response, and adds the error of each malformed output to `malformed` under the extension's
  /// name.
  ///
  /// - Throws: The error of `appid` or `payment`, because the ceremony depends on these outputs.
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

  /// The outputs by extension name, for a client's response.
  package var extensions: ClientExtensions {
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
  /// The outputs that are present, for a log line, without secrets.
  package var description: String {
    ExtensionSummary.list([
      (ExtensionName.appID, appID), (ExtensionName.prf, prf), (ExtensionName.largeBlob, largeBlob),
      (ExtensionName.getCredBlob, getCredBlob.map { "\($0.count) bytes" }),
      (ExtensionName.hmacGetSecret, hmacGetSecret), (ExtensionName.uvm, uvm), (ExtensionName.payment, payment),
    ])
  }
}
