// SPDX-License-Identifier: Apache-2.0

/// Takes CBOR items off the front of some bytes.
///
/// Authenticator data needs this: a key and a map of extensions stand in it one behind the other, and only reading
/// them tells how long they are. Where a single item must be everything, use ``CBORValue/init(parsing:rules:)``.
public struct CBORReader: Sendable {
  /// What has not been read yet.
  public private(set) var rest: Bytes

  private let rules: CBORRules

  /// Starts at the first of `bytes`.
  public init(_ bytes: Bytes, rules: CBORRules) {
    rest = bytes
    self.rules = rules
  }

  /// Reads one item, whole; when it is refused, nothing is consumed.
  public mutating func readValue() throws(WireError) -> CBORValue {
    let length = try CBORScanner.length(ofItemIn: rest, rules: rules)
    let value = CBORValue(scanned: rest.prefix(length))
    rest = rest.dropFirst(length)
    return value
  }

  /// Demands that nothing is left.
  public func finish() throws(WireError) {
    guard rest.isEmpty else { throw WireError(.cborTrailingBytes, at: rest.startIndex) }
  }
}

/// How strictly CBOR is read. All three demand well-formed input, distinct map keys and valid UTF-8.
public enum CBORRules: Sendable {
  /// Any well-formed item of RFC 8949, indefinite lengths included: for looking at things.
  case general

  /// What a relying party accepts: definite lengths only, since CTAP2 forbids the others, but no order of keys and no
  /// shortest heads, since real devices miss both.
  case wellFormed

  /// CTAP2 canonical form (CTAP 2.3 §8), which an authenticator demands of its clients and clients of it.
  ///
  /// Floating-point numbers are allowed: to CTAP2 their width is part of their value.
  case canonical

  package var allowsIndefiniteLength: Bool { self == .general }
  var requiresShortestHeads: Bool { self == .canonical }
  var requiresSortedKeys: Bool { self == .canonical }
  var allowsTags: Bool { self != .canonical }
}
