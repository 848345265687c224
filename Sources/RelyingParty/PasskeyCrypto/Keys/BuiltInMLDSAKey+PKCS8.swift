// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import PasskeyMLDSA

// PrivateKeyInfo ::= SEQUENCE { version INTEGER 0, AlgorithmIdentifier, privateKey OCTET STRING, … }     (RFC 5958 §2)
// The octets: CHOICE { seed [0] OCTET STRING, expandedKey OCTET STRING, both SEQUENCE { seed OCTET STRING, expandedKey } }
//                                                                                                        (RFC 9881 §6)

extension BuiltInMLDSAKey {
  /// Parses an unencrypted PKCS#8 `PrivateKeyInfo` with a seed, an expanded key or both.
  init(_ type: RawKeyType, _ parameters: ParameterSet, pkcs8: SecretBytes) throws(PasskeyCryptoError) {
    let forms = try PrivateKeyForms(pkcs8)
    guard forms.algorithm == type.objectIdentifier else {
      throw PasskeyCryptoError(.keyMismatch, "the key type does not match \(type.name)")
    }
    guard let seed = forms.seed else {
      guard let expanded = forms.expanded else { throw PasskeyCryptoError(.malformedKey, "PKCS#8") }
      try self.init(parameters, expanded: expanded)
      return
    }
    try self.init(parameters, seed: seed)
    if let expanded = forms.expanded, expanded != self.expanded {
      throw PasskeyCryptoError(.invalidKey, "the seed does not match the expanded key")
    }
  }

  /// Returns the key as an unencrypted PKCS#8 `PrivateKeyInfo`: with the seed, if it is known, and the expanded key, like
  /// libcrypto.
  func pkcs8(_ type: RawKeyType) -> SecretBytes {
    typealias DER = PrivateKeyEncoding
    var algorithm = DERWriter()
    algorithm.writeInteger(0)
    algorithm.writeSequence { (writer) in KeyType.raw(type).writeAlgorithm(to: &writer) }
    let expanded = expanded
    let beforeExpanded = DER.header(DER.octetString, expanded.count)
    let beforeSeed = seed.map { (seed) in DER.header(DER.octetString, seed.count) } ?? []
    let formsCount = beforeSeed.count + (seed?.count ?? 0) + beforeExpanded.count + expanded.count
    let beforeForms = seed == nil ? [] : DER.header(DER.sequence, formsCount)
    let beforeKey = DER.header(DER.octetString, beforeForms.count + formsCount)
    let count = algorithm.bytes.count + beforeKey.count + beforeForms.count + formsCount

    // Reserved, because an array that moves while it grows leaves a copy that is not wiped.
    var encoding: [UInt8] = []
    encoding.reserveCapacity(count + 4)
    encoding += DER.header(DER.sequence, count)
    encoding += algorithm.bytes
    encoding += beforeKey
    encoding += beforeForms
    encoding += beforeSeed
    seed?.withBytes { (seed) in encoding += seed }
    encoding += beforeExpanded
    expanded.withBytes { (expanded) in encoding += expanded }
    return SecretBytes(taking: encoding)
  }
}

/// The forms of an ML-DSA key in PKCS#8. Keys of other types have neither.
private struct PrivateKeyForms {
  var algorithm: DERObjectIdentifier
  var seed: SecretBytes?
  var expanded: SecretBytes?

  init(_ pkcs8: SecretBytes) throws(PasskeyCryptoError) {
    do throws(WireError) {
      self = try pkcs8.withBytes { (bytes) throws(WireError) in
        try DERReader.parse(bytes) { (reader) throws(WireError) in
          try reader.readSequence { (info) throws(WireError) in try PrivateKeyForms(&info) }
        }
      }
    } catch {
      throw PasskeyCryptoError(.malformedKey, error)
    }
  }

  private init(_ info: inout DERReader) throws(WireError) {
    _ = try info.readUInt64()
    algorithm = try info.readSequence { (identifier) throws(WireError) in
      let algorithm = try identifier.readObjectIdentifier()
      while !identifier.isAtEnd { _ = try identifier.readElement() }
      return algorithm
    }
    let key = try info.readOctetString()
    // Attributes, and the public key of RFC 5958. The key is computed from the private one.
    while !info.isAtEnd { _ = try info.readElement() }
    guard RawKeyType.allCases.contains(where: { $0.mlDSAParameters != nil && $0.objectIdentifier == algorithm }) else {
      return
    }
    try readForms(key)
  }

  private mutating func readForms(_ key: Bytes) throws(WireError) {
    (seed, expanded) = try DERReader.parse(key) { (reader) throws(WireError) in
      if try reader.isNext(.octetString) { return (nil, SecretBytes(try reader.readOctetString())) }
      if try reader.isNext(.context(0)) { return (SecretBytes(try reader.readOctetString(tag: .context(0))), nil) }
      return try reader.readSequence { (both) throws(WireError) in
        (SecretBytes(try both.readOctetString()), SecretBytes(try both.readOctetString()))
      }
    }
  }
}
