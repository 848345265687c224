// SPDX-License-Identifier: Apache-2.0

/// A slice of a byte array.
///
/// Every reader takes and returns `Bytes`. A slice shares its array's storage and indices, so reading copies nothing,
/// and an offset deep inside an artifact is an offset into the whole artifact. Functions that take `Bytes` have an
/// overload that takes any collection of bytes.
@usableFromInline package typealias Bytes = ArraySlice<UInt8>

/// A forward-only cursor over bytes. Every read is bounds-checked.
///
/// Integers are big-endian, as in WebAuthn, CTAP, TPM structures and DER.
package struct ByteReader: Sendable {
  /// The bytes that are not read yet.
  package private(set) var rest: Bytes

  /// Starts at the first byte of `bytes`.
  package init(_ bytes: some ByteSource) {
    let bytes = bytes.slice
    rest = bytes
  }

  /// The index of the next byte, in the array that the bytes are a slice of.
  package var offset: Int { rest.startIndex }

  /// Whether all bytes are read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// The next byte, without reading it; `nil` at the end.
  package var next: UInt8? { rest.first }

  /// Reads one byte.
  ///
  /// - Throws: `bytes.truncated` at the end.
  package mutating func readByte() throws(WireError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw WireError(.bytesTruncated, at: offset) }
    return byte
  }

  /// Reads a 16-bit unsigned integer.
  ///
  /// - Throws: `bytes.truncated` if fewer than two bytes are left.
  package mutating func readUInt16() throws(WireError) -> UInt16 {
    try readInteger(UInt16.self)
  }

  /// Reads a 32-bit unsigned integer.
  ///
  /// - Throws: `bytes.truncated` if fewer than four bytes are left.
  package mutating func readUInt32() throws(WireError) -> UInt32 {
    try readInteger(UInt32.self)
  }

  /// Reads a 64-bit unsigned integer.
  ///
  /// - Throws: `bytes.truncated` if fewer than eight bytes are left.
  package mutating func readUInt64() throws(WireError) -> UInt64 {
    try readInteger(UInt64.self)
  }

  /// Reads `count` bytes without copying them.
  ///
  /// - Throws: `bytes.truncated` if fewer are left.
  package mutating func read(_ count: Int) throws(WireError) -> Bytes {
    guard count >= 0, count <= rest.count else { throw WireError(.bytesTruncated, at: rest.endIndex) }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return bytes
  }

  /// Reads all remaining bytes.
  package mutating func readRest() -> Bytes {
    let bytes = rest
    rest = rest.suffix(0)
    return bytes
  }

  /// Checks that no bytes are left.
  ///
  /// - Throws: `bytes.trailing` otherwise.
  package func finish() throws(WireError) {
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
