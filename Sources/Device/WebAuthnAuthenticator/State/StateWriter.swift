// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// Serializes values for ``StateReader``: numbers are big-endian, and all other values have a length prefix.
///
/// The bytes contain private keys. A first pass computes the size, so that the second pass never reallocates the array,
/// which would leave a copy in memory. The caller must wipe the result.
struct StateWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0
  private let onlyCounts: Bool

  /// Returns everything that `write` writes, in an array that was never reallocated.
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

  /// Writes a presence byte, and then the value if present.
  mutating func optional<Value>(_ value: Value?, _ write: (inout StateWriter, Value) -> Void) {
    bool(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes the number of elements, and then each element.
  mutating func list<Value>(_ values: [Value], _ write: (inout StateWriter, Value) -> Void) {
    number(UInt32(clamping: values.count))
    for value in values { write(&self, value) }
  }
}
