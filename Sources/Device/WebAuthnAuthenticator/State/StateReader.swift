// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// Parses the output of ``StateWriter``. It copies every value, because the caller wipes the bytes after reading and a
/// slice would retain them.
struct StateReader {
  private var reader: ByteReader

  init(_ bytes: Bytes) {
    reader = ByteReader(bytes)
  }

  /// The position of the next value.
  var offset: Int { reader.offset }

  mutating func byte() throws(WireError) -> UInt8 { try reader.readByte() }

  mutating func number() throws(WireError) -> UInt64 { try reader.readUInt64() }

  mutating func number32() throws(WireError) -> UInt32 { try reader.readUInt32() }

  mutating func signed() throws(WireError) -> Int64 { Int64(bitPattern: try number()) }

  mutating func bool() throws(WireError) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw WireError(.bytesInvalidValue, at: reader.offset)
    }
  }

  mutating func field() throws(WireError) -> [UInt8] { [UInt8](try slice()) }

  mutating func text() throws(WireError) -> String { String(decoding: try slice(), as: UTF8.self) }

  mutating func secret() throws(WireError) -> SecretBytes { SecretBytes(try slice()) }

  /// Reads the presence byte of a value that every state of this version has.
  mutating func requirePresence() throws(WireError) {
    let start = offset
    guard try bool() else { throw WireError(.bytesUnknownVersion, at: start) }
  }

  mutating func optional<Value>(
    _ read: (inout StateReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try bool() ? try read(&self) : nil
  }

  mutating func list<Value>(
    _ read: (inout StateReader) throws(WireError) -> Value
  ) throws(WireError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try number32()) { values.append(try read(&self)) }
    return values
  }

  func finish() throws(WireError) {
    try reader.finish()
  }

  private mutating func slice() throws(WireError) -> Bytes {
    try reader.read(Int(clamping: try number32()))
  }
}
