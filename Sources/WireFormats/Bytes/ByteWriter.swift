// SPDX-License-Identifier: Apache-2.0

/// Puts bytes and big-endian integers behind one another.
public struct ByteWriter: Sendable {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []

  /// Starts with nothing written and room for `capacity` bytes.
  public init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes one byte.
  public mutating func write(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Writes two bytes.
  public mutating func write(_ number: UInt16) {
    writeInteger(number)
  }

  /// Writes four bytes.
  public mutating func write(_ number: UInt32) {
    writeInteger(number)
  }

  /// Writes eight bytes.
  public mutating func write(_ number: UInt64) {
    writeInteger(number)
  }

  /// Writes bytes as they are.
  public mutating func write(_ more: Bytes) {
    bytes.append(contentsOf: more)
  }

  /// Writes bytes as they are.
  public mutating func write(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  private mutating func writeInteger(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
