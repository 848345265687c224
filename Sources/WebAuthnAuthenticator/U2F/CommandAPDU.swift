// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// CommandAPDU ::= CLA INS P1 P2 [Lc data] [Le]                                                   (ISO 7816-4 §5.1)
//   short:    Lc is one byte that is not zero, Le one byte
//   extended: a zero and then Lc in two bytes; Le two bytes, behind a zero of its own where there is no Lc.
//             Clients of U2F (python-fido2's is one) write an Lc of zero where there is no data, and then Le.

/// A command as smart cards have it. How long the answer may be, nobody asks here.
struct CommandAPDU {
  let instruction: UInt8
  let parameter: UInt8
  let data: Bytes

  /// Reads all of `bytes`.
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

  /// Reads the lengths and the data, and nothing behind them.
  private static func readData(_ reader: inout ByteReader) throws(WireError) -> Bytes {
    // Nothing, or Le alone: one byte, or a zero and two.
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
