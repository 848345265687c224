// SPDX-License-Identifier: Apache-2.0

// ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }                                            (RFC 3279 §2.2.3)

/// An ECDSA signature's two numbers, as WebAuthn carries them (§6.5.5).
///
/// Read strictly: both are positive and in the fewest octets, and nothing follows. So every signature has one form.
public struct ECDSASignature: Hashable, Sendable {
  /// The number r, big-endian, without leading zeros.
  public let r: Bytes

  /// The number s, big-endian, without leading zeros.
  public let s: Bytes

  /// Takes two positive numbers, big-endian; leading zeros are passed over. Nil where a number is zero.
  public init?(r: Bytes, s: Bytes) {
    self.r = r.drop { $0 == 0 }
    self.s = s.drop { $0 == 0 }
    guard !self.r.isEmpty, !self.s.isEmpty else { return nil }
  }

  /// Reads the DER form.
  public init(der: Bytes) throws(WireError) {
    (r, s) = try DERReader.parse(der) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        (try reader.readPositiveInteger(), try reader.readPositiveInteger())
      }
    }
  }

  /// The DER form.
  public var der: [UInt8] {
    var writer = DERWriter()
    writer.writeSequence {
      $0.writeInteger(magnitude: r)
      $0.writeInteger(magnitude: s)
    }
    return writer.bytes
  }
}

extension DERReader {
  fileprivate mutating func readPositiveInteger() throws(WireError) -> Bytes {
    let start = offset
    let magnitude = try readUnsignedInteger()
    guard !magnitude.isEmpty else { throw WireError(.derIntegerOutOfRange, at: start) }
    return magnitude
  }
}
