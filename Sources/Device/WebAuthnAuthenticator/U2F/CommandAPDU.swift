// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// CommandAPDU ::= CLA INS P1 P2 [Lc data] [Le]                                                   (ISO 7816-4 §5.1)
//   short:    Lc is one byte that is not zero, Le one byte
//   extended: a zero byte, then Lc in two bytes; Le in two bytes, preceded by its own zero byte if Lc is absent.
//             Some U2F clients, such as python-fido2, encode "no data" as a zero Lc followed by Le.

/// A smart card command APDU. Le, the expected response length, is ignored.
struct CommandAPDU {
  let instruction: UInt8
  let parameter: UInt8
  let data: Bytes

  /// Parses a command that occupies all of `bytes`.
  init(parsing bytes: Bytes) throws(U2FStatus) {
    var reader = ByteReader(bytes)
    let header: Bytes
    do throws(WireError) {
      header = try reader.read(Self.headerByteCount)
      data = try Self.readData(&reader)
      try reader.finish()
    } catch {
      throw .wrongLength
    }
    var fields = header.makeIterator()
    guard fields.next() == 0 else { throw .classNotSupported }
    instruction = fields.next() ?? 0
    parameter = fields.next() ?? 0
  }

  private static let headerByteCount = 4

  /// Reads Lc, the data and Le. The caller rejects trailing bytes.
  private static func readData(_ reader: inout ByteReader) throws(WireError) -> Bytes {
    // No data and no Le, or Le alone.
    guard reader.rest.count > 1 else {
      _ = reader.readRest()
      return []
    }
    let isExtended = reader.next == 0
    let length: Int
    if isExtended {
      _ = try reader.readByte()
      length = Int(try reader.readUInt16())
      if reader.isAtEnd { return [] }
    } else {
      length = Int(try reader.readByte())
    }
    let data = try reader.read(length)
    if reader.rest.count == (isExtended ? 2 : 1) { _ = reader.readRest() }
    return data
  }
}
