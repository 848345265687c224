// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyFormats
package import WebAuthnTypes

extension AuthenticatorInfo {
  /// Parses a reply. Unknown members are ignored.
  ///
  /// - Throws: `command-reply.malformed`, `command-reply.missing-member` or `command-reply.invalid-member`.
  package init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CBORMemberReader(parsing: bytes, as: .commandReply, rules: .canonical)
    let model = try reply.bytes(0x03)
    guard let aaguid = AAGUID([UInt8](model)) else {
      throw FormatError(.commandReplyInvalidMember, at: model.startIndex, member: "3")
    }
    self.init(versions: try reply.require(0x01) { (value) throws(WireError) in try value.texts }, aaguid: aaguid)
    extensions = try reply.textsIfPresent(0x02) ?? []
    options = try reply.dictionary(0x04) { (value) throws(WireError) in try value.bool } ?? [:]
    maximumMessageByteCount = try reply.unsignedIfPresent(0x05)
    pinUVAuthProtocols = try reply.numbers(0x06) ?? []
    maximumCredentialCountInList = try reply.unsignedIfPresent(0x07)
    maximumCredentialIDByteCount = try reply.unsignedIfPresent(0x08)
    transports = try reply.textsIfPresent(0x09)?.map { AuthenticatorTransport(rawValue: $0) } ?? []
    for parameters in try reply.objectsIfPresent(0x0a) ?? [] {
      algorithms.append(
        CredentialParameters(
          type: CredentialType(rawValue: try parameters.text("type")),
          algorithm: COSEAlgorithm(rawValue: try parameters.integer("alg"))))
    }
    maximumLargeBlobArrayByteCount = try reply.unsignedIfPresent(0x0b)
    forcesPINChange = try reply.boolIfPresent(0x0c)
    minimumPINLength = try reply.unsignedIfPresent(0x0d)
    firmwareVersion = try reply.unsignedIfPresent(0x0e)
    maximumCredentialBlobByteCount = try reply.unsignedIfPresent(0x0f)
    maximumMinimumPINLengthReaderCount = try reply.unsignedIfPresent(0x10)
    preferredUserVerificationAttempts = try reply.unsignedIfPresent(0x11)
    userVerificationModality = try reply.unsignedIfPresent(0x12)
    certifications = try reply.dictionary(0x13) { (value) throws(WireError) in try value.unsigned } ?? [:]
    remainingDiscoverableCredentialCount = try reply.unsignedIfPresent(0x14)
    vendorConfigurationCommands = try reply.numbers(0x15)
    attestationFormats = try reply.textsIfPresent(0x16)?.map { AttestationFormat(rawValue: $0) } ?? []
    userVerificationCountSincePIN = try reply.unsignedIfPresent(0x17)
    needsLongTouchForReset = try reply.boolIfPresent(0x18)
    encryptedIdentifier = try reply.bytesIfPresent(0x19)
    transportsForReset = try reply.textsIfPresent(0x1a)?.map { AuthenticatorTransport(rawValue: $0) }
    enforcesPINComplexity = try reply.boolIfPresent(0x1b)
    pinComplexityPolicyURL = try reply.bytesIfPresent(0x1c)
    maximumPINLength = try reply.unsignedIfPresent(0x1d)
    encryptedCredentialStoreState = try reply.bytesIfPresent(0x1e)
    configurationCommands = try reply.numbers(0x1f)
  }
}

extension AuthenticatorInfo {
  /// The reply, serialized. Empty lists and maps are omitted.
  public var encoded: [UInt8] {
    var tree: [CBORKey: CBORTree] = [0x01: .texts(versions), 0x03: .bytes(aaguid.bytes)]
    if !extensions.isEmpty { tree[0x02] = .texts(extensions) }
    if !options.isEmpty { tree[0x04] = .map(.init(options.map { (.text($0), .bool($1)) }) { first, _ in first }) }
    tree[0x05] = maximumMessageByteCount.map { .unsigned($0) }
    if !pinUVAuthProtocols.isEmpty { tree[0x06] = .numbers(pinUVAuthProtocols) }
    tree[0x07] = maximumCredentialCountInList.map { .unsigned($0) }
    tree[0x08] = maximumCredentialIDByteCount.map { .unsigned($0) }
    if !transports.isEmpty { tree[0x09] = .texts(transports.map(\.rawValue)) }
    if !algorithms.isEmpty { tree[0x0a] = .array(algorithms.map(\.tree)) }
    tree[0x0b] = maximumLargeBlobArrayByteCount.map { .unsigned($0) }
    tree[0x0c] = forcesPINChange.map { .bool($0) }
    tree[0x0d] = minimumPINLength.map { .unsigned($0) }
    tree[0x0e] = firmwareVersion.map { .unsigned($0) }
    tree[0x0f] = maximumCredentialBlobByteCount.map { .unsigned($0) }
    tree[0x10] = maximumMinimumPINLengthReaderCount.map { .unsigned($0) }
    tree[0x11] = preferredUserVerificationAttempts.map { .unsigned($0) }
    tree[0x12] = userVerificationModality.map { .unsigned($0) }
    if !certifications.isEmpty {
      tree[0x13] = .map(.init(certifications.map { (.text($0), .unsigned($1)) }) { first, _ in first })
    }
    tree[0x14] = remainingDiscoverableCredentialCount.map { .unsigned($0) }
    tree[0x15] = vendorConfigurationCommands.map { .numbers($0) }
    if !attestationFormats.isEmpty { tree[0x16] = .texts(attestationFormats.map(\.rawValue)) }
    tree[0x17] = userVerificationCountSincePIN.map { .unsigned($0) }
    tree[0x18] = needsLongTouchForReset.map { .bool($0) }
    tree[0x19] = encryptedIdentifier.map { .bytes([UInt8]($0)) }
    tree[0x1a] = transportsForReset.map { .texts($0.map(\.rawValue)) }
    tree[0x1b] = enforcesPINComplexity.map { .bool($0) }
    tree[0x1c] = pinComplexityPolicyURL.map { .bytes([UInt8]($0)) }
    tree[0x1d] = maximumPINLength.map { .unsigned($0) }
    tree[0x1e] = encryptedCredentialStoreState.map { .bytes([UInt8]($0)) }
    tree[0x1f] = configurationCommands.map { .numbers($0) }
    return CBORWriter.bytes(of: .map(tree))
  }
}

extension CBORTree {
  fileprivate static func texts(_ texts: [String]) -> Self { .array(texts.map { .text($0) }) }
  fileprivate static func numbers(_ numbers: [UInt64]) -> Self { .array(numbers.map { .unsigned($0) }) }
}

extension CBORMemberReader {
  fileprivate func numbers(_ key: CBORKey) throws(FormatError) -> [UInt64]? {
    try optional(key) { (value) throws(WireError) in
      try value.elements { (item) throws(WireError) in try item.unsigned }
    }
  }

  /// Reads a map from text to values, each with `read`.
  fileprivate func dictionary<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(FormatError) -> [String: Value]? {
    try optional(key) { (value) throws(WireError) in
      var dictionary: [String: Value] = [:]
      for (name, value) in try value.map { dictionary[try name.text] = try read(value) }
      return dictionary
    }
  }
}
