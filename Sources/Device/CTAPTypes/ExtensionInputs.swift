// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats
internal import WebAuthnTypes

/// The supported extension inputs of authenticatorMakeCredential (CTAP 2.3 §12).
package struct RegistrationExtensionInputs: Hashable, Sendable {
  /// `credProtect`: the protection level, 1 to 3.
  package var credentialProtection: UInt64?

  /// `hmac-secret`: whether to give the credential an HMAC secret.
  package var hmacSecret: Bool?

  /// `hmac-secret-mc`: salts to evaluate at creation.
  package var hmacSecretOnCreation: HMACSecretInput?

  /// `credBlob`: bytes to store with the credential.
  package var credentialBlob: Bytes?

  /// `largeBlobKey`: whether to create a large-blob key.
  package var largeBlobKey: Bool?

  /// Which of ``ExtensionName/flags`` are requested, by name.
  package var flags: [String: Bool] = [:]

  /// `thirdPartyPayment`: whether other origins may request payments with the credential.
  package var thirdPartyPayment: Bool?

  /// Creates inputs that request no extension.
  package init() {}

  /// Parses the map; unknown extensions are ignored.
  init(_ extensions: CommandParameters?) throws(CTAPError) {
    guard let extensions else { return }
    credentialProtection = try extensions.unsignedIfPresent("credProtect")
    hmacSecret = try extensions.boolIfPresent("hmac-secret")
    if let input = try extensions.objectIfPresent("hmac-secret-mc") {
      hmacSecretOnCreation = try HMACSecretInput(input)
    }
    credentialBlob = try extensions.bytesIfPresent("credBlob")
    largeBlobKey = try extensions.boolIfPresent("largeBlobKey")
    for name in ExtensionName.flags { flags[name] = try extensions.boolIfPresent(.text(name)) }
    thirdPartyPayment = try extensions.boolIfPresent("thirdPartyPayment")
  }

  /// The inputs as a CBOR map, or nil if none is set.
  var tree: CBORTree? {
    var extensions: [CBORKey: CBORTree] = [:]
    extensions["credProtect"] = credentialProtection.map { .unsigned($0) }
    extensions["hmac-secret"] = hmacSecret.map { .bool($0) }
    extensions["hmac-secret-mc"] = hmacSecretOnCreation?.tree
    extensions["credBlob"] = credentialBlob.map { .bytes([UInt8]($0)) }
    extensions["largeBlobKey"] = largeBlobKey.map { .bool($0) }
    for (name, isRequested) in flags { extensions[.text(name)] = .bool(isRequested) }
    extensions["thirdPartyPayment"] = thirdPartyPayment.map { .bool($0) }
    return extensions.isEmpty ? nil : .map(extensions)
  }
}

/// The supported extension inputs of authenticatorGetAssertion (CTAP 2.3 §12).
package struct AssertionExtensionInputs: Hashable, Sendable {
  /// `credBlob`: whether to return the stored bytes.
  package var credentialBlob: Bool?

  /// `hmac-secret`: salts to evaluate.
  package var hmacSecret: HMACSecretInput?

  /// `largeBlobKey`: whether to return the large-blob key.
  package var largeBlobKey: Bool?

  /// `thirdPartyPayment`: whether to return whether other origins may request payments with the credential.
  package var thirdPartyPayment: Bool?

  /// Creates inputs that request no extension.
  package init() {}

  /// Parses the map; unknown extensions are ignored.
  init(_ extensions: CommandParameters?) throws(CTAPError) {
    guard let extensions else { return }
    credentialBlob = try extensions.boolIfPresent("credBlob")
    if let input = try extensions.objectIfPresent("hmac-secret") { hmacSecret = try HMACSecretInput(input) }
    largeBlobKey = try extensions.boolIfPresent("largeBlobKey")
    thirdPartyPayment = try extensions.boolIfPresent("thirdPartyPayment")
  }

  /// The inputs as a CBOR map, or nil if none is set.
  var tree: CBORTree? {
    var extensions: [CBORKey: CBORTree] = [:]
    extensions["credBlob"] = credentialBlob.map { .bool($0) }
    extensions["hmac-secret"] = hmacSecret?.tree
    extensions["largeBlobKey"] = largeBlobKey.map { .bool($0) }
    extensions["thirdPartyPayment"] = thirdPartyPayment.map { .bool($0) }
    return extensions.isEmpty ? nil : .map(extensions)
  }
}

/// The input of the hmac-secret extension (CTAP 2.3 §12.7): salts encrypted for the authenticator.
package struct HMACSecretInput: Hashable, Sendable {
  /// 0x01: the platform's public key for the key agreement.
  package var keyAgreement: COSEKey

  /// 0x02: one or two salts, encrypted with the shared secret.
  package var encryptedSalts: Bytes

  /// 0x03: the authentication tag of the encrypted salts.
  package var saltAuthentication: Bytes

  /// 0x04: the PIN/UV auth protocol; 1 if absent.
  package var pinUVAuthProtocol: UInt64?

  /// Creates an input.
  package init(
    keyAgreement: COSEKey, encryptedSalts: some ByteSource, saltAuthentication: some ByteSource,
    pinUVAuthProtocol: UInt64? = nil
  ) {
    self.keyAgreement = keyAgreement
    self.encryptedSalts = encryptedSalts.slice
    self.saltAuthentication = saltAuthentication.slice
    self.pinUVAuthProtocol = pinUVAuthProtocol
  }

  init(_ input: CommandParameters) throws(CTAPError) {
    keyAgreement = try input.keyAgreement(0x01)
    encryptedSalts = try input.bytes(0x02)
    saltAuthentication = try input.bytes(0x03)
    pinUVAuthProtocol = try input.unsignedIfPresent(0x04)
  }

  var tree: CBORTree {
    var input: [CBORKey: CBORTree] = [
      0x01: keyAgreement.tree, 0x02: .bytes([UInt8](encryptedSalts)), 0x03: .bytes([UInt8](saltAuthentication)),
    ]
    input[0x04] = pinUVAuthProtocol.map { .unsigned($0) }
    return .map(input)
  }
}

extension CommandParameters {
  /// The platform's key-agreement public key at `key`.
  ///
  /// - Throws: `CTAP2_ERR_MISSING_PARAMETER`, `CTAP2_ERR_CBOR_UNEXPECTED_TYPE`, or `CTAP1_ERR_INVALID_PARAMETER` for an
  ///   invalid COSE key.
  package func keyAgreement(_ key: CBORKey) throws(CTAPError) -> COSEKey {
    let value = try require(key) { (value) throws(WireError) in
      _ = try value.map
      return value
    }
    return try mapError(COSEKey(value, rules: .canonical)) { (error: COSEError) in
      CTAPError(.invalidParameter, "\(error)")
    }
  }
}
