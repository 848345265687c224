// SPDX-License-Identifier: Apache-2.0

/// Appends bytes and big-endian integers to an array.
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty writer with room for `capacity` bytes.
  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes one byte.
  package mutating func write(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Writes a 16-bit unsigned integer.
  package mutating func write(_ number: UInt16) {
    writeInteger(number)
  }

  /// Writes a 32-bit unsigned integer.
  package mutating func write(_ number: UInt32) {
    writeInteger(number)
  }

  /// Writes a 64-bit unsigned integer.
  package mutating func write(_ number: UInt64) {
    writeInteger(number)
  }

  /// Writes bytes.
  package mutating func write(_ more: some ByteSource) {
    let more = more.slice
    bytes.append(contentsOf: more)
  }

  private mutating func writeInteger(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
