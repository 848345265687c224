// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A streaming writer for the members of a pending ceremony. It avoids building a tree, because each sign-in writes
/// one.
///
/// Write members in the order of their key numbers, which is the canonical order. The number of members is required
/// when a map begins.
struct PendingWriter {
  private var cbor = CBORWriter(capacity: expectedByteCount)

  // More than a sign-in with a few credentials requires.
  private static let expectedByteCount = 512

  var bytes: [UInt8] { cbor.bytes }

  /// Begins a ceremony with `memberCount` members besides the version and the kind.
  init(_ kind: PendingCodec.Kind, memberCount: Int) {
    cbor.beginMap(2 + memberCount)
    write(.version, number: PendingCodec.version)
    write(.kind, number: kind.rawValue)
  }

  /// Begins a map with `count` members.
  mutating func beginMap(_ key: PendingCodec.Key, count: Int) {
    write(key)
    cbor.beginMap(count)
  }

  mutating func write(_ key: PendingCodec.Key, number: UInt64) {
    write(key)
    cbor.write(.unsigned(number))
  }

  mutating func write(_ key: PendingCodec.Key, integer: Int64) {
    write(key)
    cbor.write(integer: integer)
  }

  mutating func write(_ key: PendingCodec.Key, bool: Bool) {
    write(key)
    cbor.write(bool: bool)
  }

  mutating func write(_ key: PendingCodec.Key, bytes: some Collection<UInt8>) {
    write(key)
    cbor.write(bytes: bytes)
  }

  mutating func write(_ key: PendingCodec.Key, text: String) {
    write(key)
    cbor.write(text: text)
  }

  mutating func write<Items: Collection>(
    _ key: PendingCodec.Key, items: Items, _ body: (inout CBORWriter, Items.Element) -> Void
  ) {
    write(key)
    cbor.beginArray(items.count)
    for item in items { body(&cbor, item) }
  }

  mutating func write(_ key: PendingCodec.Key, tree: CBORTree) {
    write(key)
    cbor.write(tree)
  }

  private mutating func write(_ key: PendingCodec.Key) {
    cbor.write(.unsigned(key.rawValue))
  }
}
