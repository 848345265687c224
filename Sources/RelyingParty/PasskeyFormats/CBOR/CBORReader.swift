// SPDX-License-Identifier: Apache-2.0

/// A cursor that reads CBOR items from the front of a byte sequence.
///
/// Authenticator data needs it: a key and an extension map follow one another without a length. To parse bytes that
/// must be exactly one item, use ``CBORValue``.
package struct CBORReader: Sendable {
  /// The bytes that are not read yet.
  package private(set) var rest: Bytes

  private let rules: CBORRules

  /// Starts at the first byte of `bytes`.
  package init(_ bytes: some ByteSource, rules: CBORRules) {
    let bytes = bytes.slice
    rest = bytes
    self.rules = rules
  }

  /// Reads one item. If the item is rejected, nothing is consumed.
  ///
  /// - Throws: A `cbor.…` code of malformed or rejected input.
  package mutating func readValue() throws(WireError) -> CBORValue {
    let length = try CBORScanner.length(ofItemIn: rest, rules: rules)
    let value = CBORValue(scanned: rest.prefix(length))
    rest = rest.dropFirst(length)
    return value
  }

  /// Checks that no bytes are left.
  ///
  /// - Throws: `cbor.trailing-bytes` otherwise.
  package func finish() throws(WireError) {
    guard rest.isEmpty else { throw WireError(.cborTrailingBytes, at: rest.startIndex) }
  }
}

/// The strictness of the CBOR reader. All rules require well-formed input, distinct map keys and valid UTF-8.
package enum CBORRules: Sendable {
  /// Accepts every well-formed item of RFC 8949, including indefinite lengths. For inspection.
  case general

  /// Accepts definite lengths only, in any key order and with heads of any length.
  ///
  /// For relying parties: CTAP2 forbids indefinite lengths, but real devices send unsorted keys and long heads.
  case wellFormed

  /// Accepts CTAP2 canonical form only (CTAP 2.3 §8), which authenticators and clients require of each other.
  ///
  /// Floating-point numbers of every width are accepted, because in CTAP2 the width is part of the value.
  case canonical

  package var allowsIndefiniteLength: Bool { self == .general }
  var requiresShortestHeads: Bool { self == .canonical }
  var requiresSortedKeys: Bool { self == .canonical }
  var allowsTags: Bool { self != .canonical }
}
