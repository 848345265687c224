// SPDX-License-Identifier: Apache-2.0

/// A run of bytes inside a larger buffer.
///
/// Everything on this floor reads from and hands out `Bytes`. A slice shares its array's storage and keeps its array's
/// indices, so nothing is copied on the way down and an offset found deep inside an artifact is an offset into the
/// whole of it. An array becomes `Bytes` with `array[...]`.
public typealias Bytes = ArraySlice<UInt8>

/// A cursor over bytes that only moves forward; every read is checked against what is left.
///
/// Integers are big-endian, as everywhere in WebAuthn, CTAP, TPM structures and DER.
public struct ByteReader: Sendable {
  /// What has not been read yet.
  public private(set) var rest: Bytes

  /// Starts at the first of `bytes`.
  public init(_ bytes: Bytes) {
    rest = bytes
  }

  /// The index of the next byte, in the array from which the bytes are a slice.
  public var offset: Int { rest.startIndex }

  /// Whether everything has been read.
  public var isAtEnd: Bool { rest.isEmpty }

  /// The next byte, which stays where it is.
  public var next: UInt8? { rest.first }

  /// Reads one byte.
  public mutating func readByte() throws(WireError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw WireError(.bytesTruncated, at: offset) }
    return byte
  }

  /// Reads two bytes as an unsigned number.
  public mutating func readUInt16() throws(WireError) -> UInt16 {
    try readInteger(UInt16.self)
  }

  /// Reads four bytes as an unsigned number.
  public mutating func readUInt32() throws(WireError) -> UInt32 {
    try readInteger(UInt32.self)
  }

  /// Reads eight bytes as an unsigned number.
  public mutating func readUInt64() throws(WireError) -> UInt64 {
    try readInteger(UInt64.self)
  }

  /// Reads `count` bytes without copying them.
  public mutating func read(_ count: Int) throws(WireError) -> Bytes {
    guard count >= 0, count <= rest.count else { throw WireError(.bytesTruncated, at: rest.endIndex) }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return bytes
  }

  /// Reads everything that is left.
  public mutating func readRest() -> Bytes {
    let bytes = rest
    rest = rest.suffix(0)
    return bytes
  }

  /// Demands that nothing is left.
  public func finish() throws(WireError) {
    guard isAtEnd else { throw WireError(.bytesTrailing, at: offset) }
  }

  private mutating func readInteger<Number: FixedWidthInteger & UnsignedInteger>(
    _: Number.Type
  ) throws(WireError) -> Number {
    var number: Number = 0
    for byte in try read(Number.bitWidth / 8) {
      number = number << 8 | Number(byte)
    }
    return number
  }
}
