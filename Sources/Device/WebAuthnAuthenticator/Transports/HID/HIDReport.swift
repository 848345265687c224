// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// initialization packet: channel (4) | 80 + command (1) | length (2) | 57 bytes
// continuation packet:   channel (4) | sequence 00…7f (1) | 59 bytes
// (CTAP 2.3 §11.2.4)

/// A CTAPHID packet: a 64-byte report.
package struct HIDReport: Equatable {
  package let channel: UInt32
  package let content: Content

  package enum Content: Equatable {
    /// An initialization packet: command, total length and first bytes of a message.
    case beginning(command: UInt8, byteCount: Int, Bytes)
    /// A continuation packet.
    case continuation(sequence: UInt8, Bytes)
  }

  package static let byteCount = 64
  static let beginningCapacity = byteCount - 7
  static let continuationCapacity = byteCount - 5

  /// 7,609: one initialization packet and 128 continuation packets  [§11.2.4].
  package static let maximumMessageByteCount = beginningCapacity + 128 * continuationCapacity

  package static let broadcast: UInt32 = 0xffff_ffff

  /// Decodes a report. Returns nil unless it has 64 bytes.
  package init?(_ bytes: Bytes) {
    var reader = ByteReader(bytes)
    guard bytes.count == Self.byteCount, let channel = try? reader.readUInt32(), let kind = try? reader.readByte()
    else { return nil }
    self.channel = channel
    if kind & 0x80 == 0 {
      content = .continuation(sequence: kind, reader.rest)
    } else {
      guard let length = try? reader.readUInt16() else { return nil }
      content = .beginning(command: kind & 0x7f, byteCount: Int(length), reader.rest)
    }
  }

  /// Returns the reports of a message, which is `head`, at most 57 bytes, and then `body`. The last report is padded with
  /// zeros.
  package static func reports(
    channel: UInt32, command: UInt8, head: [UInt8] = [], _ body: some ByteSource
  ) -> [[UInt8]] {
    let body = body.slice
    var writer = beginning(channel, 0x80 | command)
    writer.write(UInt16(clamping: head.count + body.count))
    writer.write(head)
    writer.write(body.prefix(beginningCapacity - head.count))
    var reports = [filled(writer)]
    var rest = body.dropFirst(beginningCapacity - head.count)
    var sequence: UInt8 = 0
    while !rest.isEmpty {
      var writer = beginning(channel, sequence)
      writer.write(rest.prefix(continuationCapacity))
      reports.append(filled(writer))
      rest = rest.dropFirst(continuationCapacity)
      sequence = (sequence + 1) & 0x7f
    }
    return reports
  }

  private static func beginning(_ channel: UInt32, _ kind: UInt8) -> ByteWriter {
    var writer = ByteWriter(capacity: byteCount)
    writer.write(channel)
    writer.write(kind)
    return writer
  }

  private static func filled(_ writer: ByteWriter) -> [UInt8] {
    writer.bytes + [UInt8](repeating: 0, count: byteCount - writer.bytes.count)
  }
}
