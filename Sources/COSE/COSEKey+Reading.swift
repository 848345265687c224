// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension COSEKey {
  /// Reads a public key that is all of `bytes`.
  ///
  /// Parameters that say nothing about the key (`kid`, `key_ops` and others) are passed over; a private key is refused.
  public init(parsing bytes: Bytes, rules: CBORRules = .wellFormed) throws(COSEError) {
    // Such a key is in order by any rules.
    if let key = Self(plainES256: bytes) {
      self = key
    } else {
      try self.init(Self.value(parsing: bytes, rules: rules), rules: rules)
    }
  }

  /// Reads a public key out of a CBOR item.
  public init(_ value: CBORValue, rules: CBORRules = .wellFormed) throws(COSEError) {
    try self.init(parameters: COSEKeyParameters(value), terms: rules == .canonical ? .exact : .tolerant)
  }

  /// Reads a public key in which words stand for some registered numbers, as in `{1: "OKP", 3: -8, -1: "Ed25519"}`.
  ///
  /// Some early authenticators wrote their Ed25519 keys so. No standard allows it. A relying party that still has such
  /// credentials sets `CeremonyPolicy.textValuedStoredKeys`, and sign-ins use this initializer where the ordinary one fails.
  public init(parsingTextValuedKey bytes: Bytes) throws(COSEError) {
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

  private init(parameters: COSEKeyParameters, terms: COSETerms) throws(COSEError) {
    let keyType = try parameters.keyType(terms)
    // An algorithm that is not there or not known is told before a material that could not be judged without it.
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

/// A registered number of an open set: every number is a value.
private protocol OpenNumber {
  init(rawValue: Int64)
}

extension COSEKeyType: OpenNumber {}
extension COSEAlgorithm: OpenNumber {}
extension COSECurve: OpenNumber {}

/// What a key may have that it should not have.
private enum COSETerms {
  /// Nothing.
  case exact
  /// A zero in front of an RSA modulus, where some languages write the sign of a number.
  case tolerant
  /// That, and words in place of registered numbers.
  case words
}

/// The parameters of a key by label, collected in one walk over the map.
private struct COSEKeyParameters {
  let offset: Int
  private var type: CBORValue?
  private var algorithm: CBORValue?
  // What −1 to −4 mean depends on the type.
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
  func keyType(_ terms: COSETerms) throws(COSEError) -> COSEKeyType {
    try term(type, COSEKeyLabel.keyType, terms, words: ["OKP": .okp, "EC2": .ec2])
  }

  func algorithm(_ terms: COSETerms) throws(COSEError) -> COSEAlgorithm {
    try term(algorithm, COSEKeyLabel.algorithm, terms, words: ["EdDSA": .eddsa])
  }

  /// RFC 9053 §7.1.1.
  func ec2Material(_ terms: COSETerms) throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(fourth, COSEKeyLabel.d)
    let curve = try curve(terms)
    // WebAuthn §5.8.5: the compressed form, a truth value for y, must not be used.
    if let third, (try? third.bool) != nil {
      throw COSEError(.compressedPoint, label: COSEKeyLabel.y, at: third.offset)
    }
    return .ec2(curve: curve, x: try bytes(second, COSEKeyLabel.x), y: try bytes(third, COSEKeyLabel.y))
  }

  /// RFC 9053 §7.2.
  func okpMaterial(_ terms: COSETerms) throws(COSEError) -> COSEKey.Material {
    try refusePrivateKey(fourth, COSEKeyLabel.d)
    return .okp(curve: try curve(terms), x: try bytes(second, COSEKeyLabel.x))
  }

  /// RFC 8230 §4.
  func rsaMaterial(_ terms: COSETerms) throws(COSEError) -> COSEKey.Material {
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

  private func curve(_ terms: COSETerms) throws(COSEError) -> COSECurve {
    let curve: COSECurve = try term(first, COSEKeyLabel.curve, terms, words: ["Ed25519": .ed25519])
    guard curve.keyType != nil else { throw COSEError(.unknownCurve, label: COSEKeyLabel.curve, at: first?.offset) }
    return curve
  }
}

// MARK: Single parameters

extension COSEKeyParameters {
  private func term<Term: OpenNumber>(
    _ value: CBORValue?, _ label: Int64, _ terms: COSETerms, words: KeyValuePairs<String, Term>
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
