// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// Puts values behind one another for ``StateReader`` to take up again: numbers big-endian, everything else with its
/// length in front.
///
/// The bytes hold private keys. A first pass only counts, so that the second one never moves to a larger array and leaves
/// a copy behind; whoever takes the bytes wipes them.
struct StateWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0
  private let onlyCounts: Bool

  /// Everything that `write` writes, in one array that was never moved.
  static func bytes(_ write: (inout StateWriter) -> Void) -> [UInt8] {
    var counter = StateWriter(onlyCounts: true)
    write(&counter)
    var writer = StateWriter(onlyCounts: false)
    writer.bytes.reserveCapacity(counter.count)
    write(&writer)
    return writer.bytes
  }

  private init(onlyCounts: Bool) {
    self.onlyCounts = onlyCounts
  }

  mutating func number(_ value: some FixedWidthInteger & UnsignedInteger) {
    count += value.bitWidth / 8
    guard !onlyCounts else { return }
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func signed(_ value: Int64) {
    number(UInt64(bitPattern: value))
  }

  mutating func bool(_ value: Bool) {
    number(UInt8(value ? 1 : 0))
  }

  mutating func field(_ value: some Collection<UInt8>) {
    number(UInt32(clamping: value.count))
    count += value.count
    if !onlyCounts { bytes.append(contentsOf: value) }
  }

  mutating func text(_ value: String) {
    field(value.utf8)
  }

  mutating func secret(_ value: SecretBytes) {
    value.withBytes { (bytes) in field(bytes) }
  }

  /// Whether there is a value, and it.
  mutating func optional<Value>(_ value: Value?, _ write: (inout StateWriter, Value) -> Void) {
    bool(value != nil)
    if let value { write(&self, value) }
  }

  /// How many there are, and each.
  mutating func list<Value>(_ values: [Value], _ write: (inout StateWriter, Value) -> Void) {
    number(UInt32(clamping: values.count))
    for value in values { write(&self, value) }
  }
}
