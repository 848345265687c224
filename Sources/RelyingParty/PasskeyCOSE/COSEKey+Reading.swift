// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension COSEKey {
  /// Parses a public key. `bytes` must be exactly one CBOR item.
  ///
  /// Parameters that do not define the key (`kid`, `key_ops` and others) are ignored. Private keys are rejected.
  ///
  /// - Throws: A ``COSEError`` with a `cose.…` code.
  package init(parsing bytes: some ByteSource, rules: CBORRules = .wellFormed) throws(COSEError) {
    let bytes = bytes.slice
    // Fast path: this encoding is valid under all rules.
    if let key = Self(canonicalES256: bytes) {
      self = key
    } else {
      try self.init(Self.value(parsing: bytes, rules: rules), rules: rules)
    }
  }

  /// Parses a public key from a CBOR item.
  ///
  /// - Throws: A ``COSEError`` with a `cose.…` code.
  package init(_ value: CBORValue, rules: CBORRules = .wellFormed) throws(COSEError) {
    try self.init(parameters: COSEKeyParameters(value), terms: rules == .canonical ? .exact : .tolerant)
  }

  /// Parses a public key that has names instead of registered numbers, such as `{1: "OKP", 3: -8, -1: "Ed25519"}`.
  ///
  /// Some early authenticators encoded Ed25519 keys this way, which no standard allows. A relying party that still
  /// stores such keys sets `CeremonyPolicy.textValuedStoredKeys`; sign-in then tries this initializer if the regular
  /// one fails.
  ///
  /// - Throws: A ``COSEError`` with a `cose.…` code.
  package init(parsingTextValuedKey bytes: some ByteSource) throws(COSEError) {
    let bytes = bytes.slice
    let value = try Self.value(parsing: bytes, rules: .wellFormed)
    try self.init(parameters: COSEKeyParameters(value), terms: .words)
  }

  private static func value(parsing bytes: Bytes, rules: CBORRules) throws(COSEError) -> CBORValue {
    do throws(WireError) {
      return try CBORValue(parsing: bytes, rules: rules)
    } catch {
      throw COSEError(error)
    }
  }

  private init(parameters: COSEKeyParameters, terms: COSEKeyDeviations) throws(COSEError) {
    let keyType = try parameters.keyType(terms)
    // Report a missing or unknown algorithm before errors of the material, which depends on the algorithm.
    let algorithm = try parameters.algorithm(terms)
    let material: Material
    switch keyType {
    case .ec2: material = try parameters.ec2Material(terms)
    case .okp: material = try parameters.okpMaterial(terms)
    case .rsa: material = try parameters.rsaMaterial(terms)
    case .akp: material = try parameters.akpMaterial()
    default: throw COSEError(.unknownKeyType, label: COSEKeyLabel.keyType, at: parameters.offset)
    }
    try self.init(algorithm: algorithm, material: material)
  }
}

/// A registered number of an open set.
private protocol OpenNumber {
  init(rawValue: Int64)
}

extension COSEKeyType: OpenNumber {}
extension COSEAlgorithm: OpenNumber {}
extension COSECurve: OpenNumber {}

/// The deviations from the standard that a parse accepts.
private enum COSEKeyDeviations {
  /// None.
  case exact
  /// A leading zero of an RSA modulus, which some languages write as the sign.
  case tolerant
  /// A leading zero, and names instead of registered numbers.
  case words
}

/// The parameters of a key by label, collected by reading the map once.
private struct COSEKeyParameters {
  let offset: Int
  private var type: CBORValue?
  private var algorithm: CBORValue?
  // The meaning of the labels −1 to −4 depends on the key type.
  private var first: CBORValue?
  private var second: CBORValue?
  private var third: CBORValue?
  private var fourth: CBORValue?

  init(_ value: CBORValue) throws(COSEError) {
    guard case .map(let map) = value.kind else { throw COSEError(.notAMap, at: value.offset) }
    offset = value.offset
    for (key, value) in map {
      switch key.kind {
      case .unsigned(1): type = value
      case .unsigned(3): algorithm = value
      case .negative(0): first = value
      case .negative(1): second = value
      case .negative(2): third = value
      case .negative(3): fourth = value
      default: continue
      }
    }
  }
}

// MARK: The parameters of each key type

extension COSEKeyParameters {
  func keyType(_ terms: COSEKeyDeviations) throws(COSEError) -> COSEKeyType {
    try term(type, COSEKeyLabel.keyType, terms, words: ["OKP": .okp, "EC2": .ec2])
  }

  func algorithm(_ terms: COSEKeyDeviations) throws(COSEError) -> COSEAlgorithm {
    try term(algorithm, COSEKeyLabel.algorithm, terms, words: ["EdDSA": .eddsa])
  }

  /// RFC 9053 §7.1.1.
  func ec2Material(_ terms: COSEKeyDeviations) throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(fourth, COSEKeyLabel.d)
    let curve = try curve(terms)
    // WebAuthn §5.8.5 forbids the compressed form, in which y is a Boolean.
    if let third, (try? third.bool) != nil {
      throw COSEError(.compressedPoint, label: COSEKeyLabel.y, at: third.offset)
    }
    return .ec2(curve: curve, x: try bytes(second, COSEKeyLabel.x), y: try bytes(third, COSEKeyLabel.y))
  }

  /// RFC 9053 §7.2.
  func okpMaterial(_ terms: COSEKeyDeviations) throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(fourth, COSEKeyLabel.d)
    return .okp(curve: try curve(terms), x: try bytes(second, COSEKeyLabel.x))
  }

  /// RFC 8230 §4.
  func rsaMaterial(_ terms: COSEKeyDeviations) throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(third, COSEKeyLabel.rsaPrivateExponent)
    var modulus = try bytes(first, COSEKeyLabel.rsaModulus)
    if terms != .exact, modulus.first == 0 { modulus = modulus.dropFirst() }
    return .rsa(modulus: modulus, exponent: try bytes(second, COSEKeyLabel.rsaExponent))
  }

  /// RFC 9964 §3.
  func akpMaterial() throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(second, COSEKeyLabel.akpPrivateKey)
    return .akp(publicKey: try bytes(first, COSEKeyLabel.akpPublicKey))
  }

  private func curve(_ terms: COSEKeyDeviations) throws(COSEError) -> COSECurve {
    let curve: COSECurve = try term(first, COSEKeyLabel.curve, terms, words: ["Ed25519": .ed25519])
    guard curve.keyType != nil else { throw COSEError(.unknownCurve, label: COSEKeyLabel.curve, at: first?.offset) }
    return curve
  }
}

// MARK: Single parameters

extension COSEKeyParameters {
  private func term<Term: OpenNumber>(
    _ value: CBORValue?, _ label: Int64, _ terms: COSEKeyDeviations, words: KeyValuePairs<String, Term>
  ) throws(COSEError) -> Term {
    let value = try require(value, label)
    if let number = try? value.integer { return Term(rawValue: number) }
    if terms == .words, let text = try? value.text, let word = words.first(where: { $0.key == text }) {
      return word.value
    }
    throw COSEError(.invalidParameter, label: label, at: value.offset)
  }

  private func bytes(_ value: CBORValue?, _ label: Int64) throws(COSEError) -> Bytes {
    let value = try require(value, label)
    guard case .bytes(let bytes) = value.kind else {
      throw COSEError(.invalidParameter, label: label, at: value.offset)
    }
    return bytes
  }

  private func require(_ value: CBORValue?, _ label: Int64) throws(COSEError) -> CBORValue {
    guard let value else { throw COSEError(.missingParameter, label: label, at: offset) }
    return value
  }

  private func refusePrivateKey(_ value: CBORValue?, _ label: Int64) throws(COSEError) {
    guard let value else { return }
    throw COSEError(.privateKey, label: label, at: value.offset)
  }
}
