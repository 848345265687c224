// SPDX-License-Identifier: Apache-2.0

/// Reads a map whose keys are the cases of an enumeration, as ``CBORMapWriter`` writes them.
package struct CBORKeyedReader<Key: CBORMapKey>: MemberReader {
  private let map: CBORMap

  /// Creates a reader of a map.
  package init(_ map: CBORMap) {
    self.map = map
  }

  package func lookUp(_ key: Key) -> CBORValue? { map[key.cborKey] }

  package func missing(_ key: Key) -> WireError { WireError(.cborMissingKey, at: map.offset) }

  package func invalid(_ key: Key, _ cause: WireError) -> WireError { cause }
}
