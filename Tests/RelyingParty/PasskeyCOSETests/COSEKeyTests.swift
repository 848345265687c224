// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct COSEKeyTests {
  static let x = [UInt8](repeating: 0x11, count: 32)
  static let y = [UInt8](repeating: 0x22, count: 32)
  static let es256: [CBORKey: CBORTree] = [1: 2, 3: -7, -1: 1, -2: .bytes(x), -3: .bytes(y)]

  /// One key of every algorithm with the right shape and meaningless numbers.
  static let everyAlgorithm: [[CBORKey: CBORTree]] = COSEAlgorithm.knownSignatureAlgorithms.map { algorithm in
    let material: [CBORKey: CBORTree] =
      switch (algorithm.definition?.keyType, algorithm.definition?.curve) {
      case (.ec2?, let curve?):
        [-1: .integer(curve.rawValue), -2: filled(curve.byteCount ?? 0), -3: filled(curve.byteCount ?? 0)]
      // The lowest seven bits of the last byte of an Ed448 key are zero.
      case (.okp?, .ed448?):
        [-1: .integer(COSECurve.ed448.rawValue), -2: .bytes([UInt8](repeating: 0x33, count: 56) + [0])]
      case (.okp?, let curve?): [-1: .integer(curve.rawValue), -2: filled(curve.byteCount ?? 0)]
      case (.rsa?, _): [-1: filled(256), -2: .bytes([1, 0, 1])]
      default: [-1: filled(algorithm == .mlDSA44 ? 1312 : algorithm == .mlDSA65 ? 1952 : 2592)]
      }
    let type = algorithm.definition?.keyType.rawValue ?? 0
    return [1: .integer(type), 3: .integer(algorithm.rawValue)].merging(material) { first, _ in first }
  }

  @Test(arguments: everyAlgorithm) func `a key of every algorithm survives a round trip`(
    parameters: [CBORKey: CBORTree]
  ) throws {
    let bytes = CBORWriter.bytes(of: .map(parameters))
    let key = try COSEKey(parsing: bytes, rules: .canonical)
    #expect(key.encoded == bytes)
    #expect(CBORTree.integer(key.algorithm.rawValue) == parameters[3])
  }

  @Test(arguments: everyAlgorithm) func `a key accepts only algorithms of its type and curve`(
    parameters: [CBORKey: CBORTree]
  ) throws {
    let own = try COSEKey(parsing: CBORWriter.bytes(of: .map(parameters))[...])
    for other in COSEAlgorithm.knownSignatureAlgorithms where other != own.algorithm {
      let renamed = parameters.merging([3: .integer(other.rawValue)]) { _, new in new }
      let fits =
        other.definition?.keyType == own.material.keyType && other.definition?.curve == own.material.curve
        && own.material.keyType != .akp
      if fits {
        #expect(throws: Never.self) { try COSEKey(parsing: CBORWriter.bytes(of: .map(renamed))[...]) }
      } else {
        #expect(throws: COSEError.self) { try COSEKey(parsing: CBORWriter.bytes(of: .map(renamed))[...]) }
      }
    }
  }

  @Test(
    arguments: [
      ([1: nil], COSEError.Code.missingParameter, 1),
      ([3: nil], .missingParameter, 3),
      ([-1: nil], .missingParameter, -1),
      ([-2: nil], .missingParameter, -2),
      ([-3: nil], .missingParameter, -3),
      ([1: "EC2"], .invalidParameter, 1),
      ([1: 9], .unknownKeyType, 1),
      ([3: "ES256"], .invalidParameter, 3),
      ([3: -4242], .unknownAlgorithm, 3),
      ([3: -8], .keyTypeMismatch, 1),
      ([3: -35], .curveMismatch, -1),
      ([-1: 2], .curveMismatch, -1),
      ([-1: 8], .curveMismatch, -1),
      ([-1: 99], .unknownCurve, -1),
      ([-2: "x"], .invalidParameter, -2),
      ([-2: filled(31)], .invalidLength, -2),
      ([-2: filled(33)], .invalidLength, -2),
      ([-3: filled(0)], .invalidLength, -3),
      ([-3: true], .compressedPoint, -3),
      ([-3: .null], .invalidParameter, -3),
      ([-4: filled(32)], .privateKey, -4),
    ] as [([CBORKey: CBORTree?], COSEError.Code, Int64)])
  func `reports errors of an EC2 key`(change: [CBORKey: CBORTree?], code: COSEError.Code, label: Int64) {
    expect(code, label, of: Self.es256, with: change)
  }

  @Test(
    arguments: [
      ([-1: filled(255)], COSEError.Code.invalidModulus, -1),
      ([-1: filled(1025)], .invalidModulus, -1),
      ([-1: .bytes([0, 0] + [UInt8](repeating: 0x33, count: 256))], .invalidModulus, -1),
      ([-1: .bytes([UInt8](repeating: 0x32, count: 256))], .invalidModulus, -1),
      ([-2: .bytes([1])], .invalidExponent, -2),
      ([-2: .bytes([])], .invalidExponent, -2),
      ([-2: .bytes([0, 1, 0, 1])], .invalidExponent, -2),
      ([-2: .bytes([1, 0, 0])], .invalidExponent, -2),
      ([-2: .bytes([1, 0, 0, 0, 1])], .invalidExponent, -2),
      ([-3: filled(256)], .privateKey, -3),
    ] as [([CBORKey: CBORTree?], COSEError.Code, Int64)])
  func `reports errors of an RSA key`(change: [CBORKey: CBORTree?], code: COSEError.Code, label: Int64) {
    expect(code, label, of: [1: 3, 3: -257, -1: filled(256), -2: .bytes([1, 0, 1])], with: change)
  }

  @Test func `reports errors of OKP and AKP keys`() {
    expect(.privateKey, -4, of: [1: 1, 3: -8, -1: 6, -2: filled(32)], with: [-4: filled(32)])
    expect(.curveMismatch, -1, of: [1: 1, 3: -8, -1: 7, -2: filled(57)], with: [:])
    expect(.invalidLength, -2, of: [1: 1, 3: -53, -1: 7, -2: filled(56)], with: [:])
    expect(.privateKey, -2, of: [1: 7, 3: -48, -1: filled(1312)], with: [-2: filled(32)])
    expect(.invalidLength, -1, of: [1: 7, 3: -48, -1: filled(1952)], with: [:])
  }

  @Test func `malformed CBOR is reported with its offset`() {
    #expect(throws: COSEError(WireError(.cborLengthExceedsInput, at: 0))) { try COSEKey(parsing: [0xa1]) }
    #expect(throws: COSEError(.notAMap, at: 0)) { try COSEKey(parsing: [0x80]) }
  }

  @Test func `ignores other parameters and does not write them`() throws {
    let more = Self.es256.merging([2: .bytes([1]), 4: [2]]) { first, _ in first }
    let key = try COSEKey(parsing: CBORWriter.bytes(of: .map(more))[...])
    #expect(key.encoded == CBORWriter.bytes(of: .map(Self.es256)))
  }

  @Test func `accepts unsorted parameters, except under canonical rules`() throws {
    let misordered = hex("a5 03 26 01 02 20 01 21 5820") + Self.x + hex("22 5820") + Self.y
    #expect(try COSEKey(parsing: misordered).encoded == CBORWriter.bytes(of: .map(Self.es256)))
    #expect(throws: COSEError(WireError(.cborKeysOutOfOrder, at: 3))) {
      try COSEKey(parsing: misordered, rules: .canonical)
    }
  }

  @Test func `accepts a leading zero of an RSA modulus, except under canonical rules`() throws {
    let modulus = [UInt8](repeating: 0xa5, count: 256)
    let signed = CBORWriter.bytes(of: [1: 3, 3: -257, -1: .bytes([0] + modulus), -2: .bytes([1, 0, 1])])
    #expect(try COSEKey(parsing: signed).material == .rsa(modulus: modulus[...], exponent: [1, 0, 1]))
    #expect(throws: COSEError(.invalidModulus, label: -1, at: 11)) {
      try COSEKey(parsing: signed, rules: .canonical)
    }
  }

  @Test(arguments: [256, 1024], [[3], [1, 0, 1], [255, 255, 255, 255]] as [[UInt8]])
  func `accepts the shortest and the longest RSA key`(count: Int, exponent: [UInt8]) throws {
    let modulus = [UInt8](repeating: 0xa5, count: count)
    let key = try COSEKey(
      parsing: CBORWriter.bytes(of: [1: 3, 3: -257, -1: .bytes(modulus), -2: .bytes(exponent)])[...])
    #expect(key.material == .rsa(modulus: modulus[...], exponent: exponent[...]))
  }

  @Test func `only the dedicated initializer accepts text-valued keys`() throws {
    let words: CBORTree = [1: "OKP", 3: -8, -1: "Ed25519", -2: .bytes(Self.x)]
    let bytes = CBORWriter.bytes(of: words)
    #expect(throws: COSEError(.invalidParameter, label: 1, at: 2)) { try COSEKey(parsing: bytes) }
    let key = try COSEKey(parsingTextValuedKey: bytes)
    #expect(key.material == .okp(curve: .ed25519, x: Self.x[...]))
    #expect(key.encoded == CBORWriter.bytes(of: [1: 1, 3: -8, -1: 6, -2: .bytes(Self.x)]))
    #expect(throws: COSEError.self) {
      try COSEKey(parsingTextValuedKey: CBORWriter.bytes(of: [1: "RSA", 3: -8, -1: 6, -2: .bytes(Self.x)]))
    }
  }

  @Test func `reads key agreement keys of CTAP`() throws {
    let parameters = Self.es256.merging([3: -25]) { _, new in new }
    let key = try COSEKey(parsing: CBORWriter.bytes(of: .map(parameters))[...], rules: .canonical)
    #expect(key.algorithm == .ecdhESHKDF256)
  }

  private func expect(
    _ code: COSEError.Code, _ label: Int64, of key: [CBORKey: CBORTree], with change: [CBORKey: CBORTree?],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var parameters = key
    for (label, value) in change { parameters[label] = value }
    let bytes = CBORWriter.bytes(of: .map(parameters))
    #expect(sourceLocation: sourceLocation) {
      try COSEKey(parsing: bytes)
    } throws: { error in
      (error as? COSEError)?.code == code && (error as? COSEError)?.label == label
    }
  }
}

private func filled(_ count: Int) -> CBORTree { .bytes([UInt8](repeating: 0x33, count: count)) }
