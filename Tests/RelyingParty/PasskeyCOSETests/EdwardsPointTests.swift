// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Ed25519 and Ed448 public keys that RFC 8032 rejects, or that make forgeries possible.
@Suite struct EdwardsPointTests {
  /// The y coordinates of all points whose order divides the cofactor, in little-endian order.
  static let smallOrder: [(algorithm: COSEAlgorithm, y: [UInt8])] = [
    (.ed25519, [UInt8](repeating: 0, count: 32)),
    (.ed25519, [1] + [UInt8](repeating: 0, count: 31)),
    (.ed25519, hex("ec" + String(repeating: "ff", count: 30) + "7f")),
    (.ed25519, hex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
    (.ed25519, hex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
    (.ed448, [UInt8](repeating: 0, count: 57)),
    (.ed448, [1] + [UInt8](repeating: 0, count: 56)),
    (.ed448, hex("fe" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27) + "00")),
  ]

  @Test(arguments: smallOrder.indices) func `rejects a point of small order with either sign`(index: Int) {
    let (algorithm, y) = Self.smallOrder[index]
    expectRefusal(.smallOrderPoint, algorithm, y)
    expectRefusal(.smallOrderPoint, algorithm, negated(y))
  }

  @Test(arguments: [
    // p, p + 1 and 2^255 − 1: non-canonical forms of 0, 1 and 18.
    (COSEAlgorithm.ed25519, "ed" + String(repeating: "ff", count: 30) + "7f"),
    (.ed25519, "ee" + String(repeating: "ff", count: 30) + "7f"),
    (.ed25519, String(repeating: "ff", count: 31) + "7f"),
    // p, p + 1 and 2^448 − 1, and bits above the number.
    (.ed448, String(repeating: "ff", count: 28) + "fe" + String(repeating: "ff", count: 27) + "00"),
    (.ed448, String(repeating: "00", count: 28) + String(repeating: "ff", count: 28) + "00"),
    (.ed448, String(repeating: "ff", count: 56) + "00"),
    (.ed448, "03" + String(repeating: "00", count: 55) + "01"),
    (.ed448, "03" + String(repeating: "00", count: 55) + "40"),
  ])
  func `rejects a y that is not below the prime, with either sign`(algorithm: COSEAlgorithm, y: String) {
    expectRefusal(.nonCanonicalPoint, algorithm, hex(y))
    expectRefusal(.nonCanonicalPoint, algorithm, negated(hex(y)))
  }

  @Test(arguments: [
    // Values that begin like 0, 1 and −1, and differ in a later byte.
    (COSEAlgorithm.ed25519, "00" + String(repeating: "00", count: 30) + "01"),
    (.ed25519, "0101" + String(repeating: "00", count: 30)),
    (.ed25519, "ec" + String(repeating: "ff", count: 30) + "7e"),
    (.ed25519, "ecfe" + String(repeating: "ff", count: 29) + "7f"),
    (.ed448, "0001" + String(repeating: "00", count: 55)),
    (.ed448, "fefe" + String(repeating: "ff", count: 26) + "fe" + String(repeating: "ff", count: 27) + "00"),
    // p − 2 and 2, next to the rejected values.
    (.ed25519, "eb" + String(repeating: "ff", count: 30) + "7f"),
    (.ed25519, "02" + String(repeating: "00", count: 31)),
    (.ed448, "fd" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27) + "00"),
    (.ed448, "02" + String(repeating: "00", count: 56)),
  ])
  func `accepts the neighbors of rejected y values, with either sign`(algorithm: COSEAlgorithm, y: String) throws {
    _ = try key(algorithm, hex(y))
    _ = try key(algorithm, negated(hex(y)))
  }

  private func negated(_ y: [UInt8]) -> [UInt8] {
    y.dropLast() + y.suffix(1).map { $0 | 0x80 }
  }

  private func key(_ algorithm: COSEAlgorithm, _ x: [UInt8]) throws -> COSEKey {
    let curve = algorithm.definition?.curve?.rawValue ?? 0
    return try COSEKey(
      parsing: CBORWriter.bytes(of: [1: 1, 3: .integer(algorithm.rawValue), -1: .integer(curve), -2: .bytes(x)]))
  }

  private func expectRefusal(
    _ code: COSEError.Code, _ algorithm: COSEAlgorithm, _ x: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(sourceLocation: sourceLocation) {
      try key(algorithm, x)
    } throws: { error in
      (error as? COSEError)?.code == code && (error as? COSEError)?.label == COSEKeyLabel.x
    }
  }
}
