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
