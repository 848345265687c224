// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The client's extension outputs for a registration. They are not signed. An absent output is nil.
package struct RegistrationClientOutputs: Hashable, Sendable {
  /// The properties of the credential.
  package var credProps: CredentialProperties?

  /// Whether the credential has a pseudo-random function, and its results.
  package var prf: PRFOutputs?

  /// Whether the credential supports large blobs.
  package var largeBlob: LargeBlobOutputs?

  /// Whether the authenticator stored the `credBlob`.
  package var credBlob: Bool?

  /// Whether the credential has an HMAC secret.
  package var hmacCreateSecret: Bool?

  /// The results of evaluating the HMAC secret at creation.
  package var hmacGetSecret: HMACSecretOutputs?

  /// The methods by which the user was verified.
  package var uvm: [UserVerificationMethod]?

  /// Whether the client checked the excluded U2F credentials.
  package var appIDExclude: Bool?

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
  /// - Throws: The error of `payment`, because the ceremony depends on this output.
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

  /// The outputs by extension name, for a client's response.
  package var extensions: ClientExtensions {
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
  /// The outputs that are present, for a log line, without secrets.
  package var description: String {
    ExtensionSummary.list([
      (ExtensionName.credProps, credProps), (ExtensionName.prf, prf), (ExtensionName.largeBlob, largeBlob),
      (ExtensionName.credBlob, credBlob), (ExtensionName.hmacCreateSecret, hmacCreateSecret),
      (ExtensionName.hmacGetSecret, hmacGetSecret), (ExtensionName.uvm, uvm),
      (ExtensionName.appIDExclude, appIDExclude), (ExtensionName.payment, payment),
    ])
  }
}

/// The client's output of the extension `credProps` (WebAuthn §10.1.3).
package struct CredentialProperties: Hashable, Sendable {
  /// Whether the credential is discoverable. Nil means that the client does not know; most likely it is not.
  package var isDiscoverable: Bool?

  /// Creates properties.
  package init(isDiscoverable: Bool? = nil) {
    self.isDiscoverable = isDiscoverable
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isDiscoverable = try members.boolIfPresent("rk")
  }

  /// The output as a JSON value.
  package var value: ExtensionValue {
    .object(ofPresent: ["rk": isDiscoverable.map { .bool($0) }])
  }
}

extension CredentialProperties: CustomStringConvertible {
  /// A one-line summary.
  package var description: String {
    switch isDiscoverable {
    case true?: "discoverable"
    case false?: "not discoverable"
    case nil: "nothing"
    }
  }
}
