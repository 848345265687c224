// SPDX-License-Identifier: Apache-2.0

/// Writes the pairs of one map. The caller writes the keys in canonical order, each once.
///
/// The writer is valid only inside the closure that receives it.
@usableFromInline
package struct CBORMapWriter<Key: CBORMapKey>: ~Copyable {
  @usableFromInline var writer: CBORWriter
  @usableFromInline var count = 0

  @inlinable
  init() {
    writer = CBORWriter()
  }

  /// Writes a pair whose value is an integer.
  @inlinable
  package mutating func write(_ key: Key, integer: Int64) {
    writeKey(key)
    writer.write(integer: integer)
  }

  /// Writes a pair whose value is an unsigned integer.
  @inlinable
  package mutating func write(_ key: Key, unsigned: UInt64) {
    writeKey(key)
    writer.write(.unsigned(unsigned))
  }

  /// Writes a pair whose value is a byte string.
  @inlinable
  package mutating func write(_ key: Key, bytes: some Collection<UInt8>) {
    writeKey(key)
    writer.write(bytes: bytes)
  }

  /// Writes a pair whose value is a text string.
  @inlinable
  package mutating func write(_ key: Key, text: String) {
    writeKey(key)
    writer.write(text: text)
  }

  /// Writes a pair whose value is a Boolean.
  @inlinable
  package mutating func write(_ key: Key, bool: Bool) {
    writeKey(key)
    writer.write(bool: bool)
  }

  /// Writes a pair whose value is any item.
  @inlinable
  package mutating func write(_ key: Key, _ value: CBORTree) {
    writeKey(key)
    writer.write(value)
  }

  /// Writes a pair whose value is encoded already.
  package mutating func write(_ key: Key, encoded value: CBORValue) {
    writeKey(key)
    writer.write(encoded: value.encoded)
  }

  /// Writes a pair whose value is a map of the pairs that `body` writes.
  @inlinable
  package mutating func writeMap<Inner: CBORMapKey>(
    _ key: Key, keyedBy _: Inner.Type, _ body: (inout CBORMapWriter<Inner>) -> Void
  ) {
    writeKey(key)
    writer.writeMap(keyedBy: Inner.self, body)
  }

  /// Writes a pair whose value is an array of the items that `body` writes, one for each element.
  @inlinable
  package mutating func writeArray<Elements: Collection>(
    _ key: Key, _ elements: Elements, _ body: (inout CBORWriter, Elements.Element) -> Void
  ) {
    writeKey(key)
    writer.writeArray(elements, body)
  }

  @inlinable
  mutating func writeKey(_ key: Key) {
    count += 1
    writer.writeKey(key.cborKey)
  }
}

/// A key of a map: any ``CBORKey``, or a case of an enumeration that numbers the members of one map.
@usableFromInline
package protocol CBORMapKey {
  /// The key as it is written.
  var cborKey: CBORKey { get }
}

extension CBORKey: CBORMapKey {
  @inlinable
  package var cborKey: CBORKey { self }
}

extension CBORMapKey where Self: RawRepresentable<UInt64> {
  @inlinable
  package var cborKey: CBORKey { .unsigned(rawValue) }
}
