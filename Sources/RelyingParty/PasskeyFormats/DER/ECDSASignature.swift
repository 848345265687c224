// SPDX-License-Identifier: Apache-2.0

// ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }                                            (RFC 3279 §2.2.3)

/// The two numbers of an ECDSA signature in the DER form that WebAuthn uses (§6.5.5).
///
/// Parsing is strict: both numbers are positive and have the fewest octets, and no bytes follow. Each signature thus
/// has one encoding.
package struct ECDSASignature: Hashable, Sendable {
  /// The number r, big-endian, without leading zeros.
  package let r: Bytes

  /// The number s, big-endian, without leading zeros.
  package let s: Bytes

  /// Creates a signature from two positive big-endian numbers. Leading zeros are dropped. Returns `nil` if a number is
  /// zero.
  package init?(r: some ByteSource, s: some ByteSource) {
    let r = r.slice
    let s = s.slice
    self.r = r.drop { $0 == 0 }
    self.s = s.drop { $0 == 0 }
    guard !self.r.isEmpty, !self.s.isEmpty else { return nil }
  }

  /// Parses the DER form.
  ///
  /// - Throws: A `der.…` code if it is malformed.
  package init(der: some ByteSource) throws(WireError) {
    let der = der.slice
    (r, s) = try DERReader.parse(der) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        (try reader.readPositiveInteger(), try reader.readPositiveInteger())
      }
    }
  }

  /// The DER form.
  package var der: [UInt8] {
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
