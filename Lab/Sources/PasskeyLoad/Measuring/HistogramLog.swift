// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// log = comment* header (interval LF)*
// interval = ["Tag=" tag ","] start "," length "," maximum "," base64(histogram)

/// An interval log of HdrHistogram: version 1.3 of the text format, with compressed histograms of encoding 2.
///
/// Histograms contain microseconds; the maximum of an interval is in milliseconds. The compressed form is zlib's
/// (RFC 1950) with stored blocks only, which every reader accepts. [Histograms of one second are short already: zeros are
/// run-length encoded.]
package struct HistogramLog: Sendable {
  private var lines: [String]

  /// Starts a log at a time in seconds since 1970.
  package init(start: Double) {
    lines = [
      "#[Histogram log format version 1.3]",
      "#[Values are microseconds, Interval_Max is milliseconds]",
      "#[StartTime: \(start.fixed(3)) (seconds since epoch)]",
      #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#,
    ]
  }

  /// Adds an interval.
  ///
  /// - Parameters:
  ///   - tag: The name of the histogram.
  ///   - start: The start in seconds after the start of the log.
  ///   - length: The length in seconds.
  ///   - histogram: The durations.
  package mutating func add(_ tag: String, start: Double, length: Double, _ histogram: LatencyHistogram) {
    let maximum = Double(histogram.maximum) / 1_000
    lines.append(
      "Tag=\(tag),\(start.fixed(3)),\(length.fixed(3)),\(maximum.fixed(3)),"
        + Base64.encode(Self.compressed(histogram)))
  }

  /// The log as text.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  private static let cookie: UInt32 = 0x1c84_9313
  private static let compressedCookie: UInt32 = 0x1c84_9314

  static func compressed(_ histogram: LatencyHistogram) -> [UInt8] {
    let content = zlib(encoded(histogram))
    var writer = ByteWriter(capacity: content.count + 8)
    writer.write(compressedCookie)
    writer.write(UInt32(content.count))
    writer.write(content)
    return writer.bytes
  }

  private static func encoded(_ histogram: LatencyHistogram) -> [UInt8] {
    var payload = ByteWriter(capacity: 512)
    var zeros: Int64 = 0
    for count in histogram.counts {
      guard count > 0 else {
        zeros += 1
        continue
      }
      if zeros > 0 { write(-zeros, to: &payload) }
      zeros = 0
      write(count, to: &payload)
    }
    var writer = ByteWriter(capacity: payload.bytes.count + 40)
    writer.write(cookie)
    writer.write(UInt32(payload.bytes.count))
    // The offset of a normalized index, which is not used here.
    writer.write(UInt32(0))
    writer.write(UInt32(LatencyHistogram.significantDigits))
    writer.write(UInt64(1))
    writer.write(UInt64(LatencyHistogram.highestTrackable))
    writer.write((1.0).bitPattern)
    writer.write(payload.bytes)
    return writer.bytes
  }

  /// Writes a number in ZigZag LEB128, at most nine bytes long: the ninth byte has eight bits.
  private static func write(_ number: Int64, to writer: inout ByteWriter) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    for _ in 0..<8 where rest >= 0x80 {
      writer.write(UInt8(truncatingIfNeeded: rest & 0x7f | 0x80))
      rest >>= 7
    }
    writer.write(UInt8(truncatingIfNeeded: rest))
  }

  /// Wraps bytes as a zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: bytes.count + 16)
    writer.write([0x78, 0x01] as [UInt8])
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(Int(UInt16.max))
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      writer.write(rest.isEmpty ? UInt8(1) : UInt8(0))
      writer.write(length.byteSwapped)
      writer.write((~length).byteSwapped)
      writer.write(block)
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    writer.write(high << 16 | low)
    return writer.bytes
  }
}
