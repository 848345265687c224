// SPDX-License-Identifier: Apache-2.0

// traceparent = version[2] "-" trace-id[32] "-" parent-id[16] "-" flags[2] *( "-" … )      W3C Trace Context §3.2.2
// Lower-case hexadecimal digits. Version ff and identifiers of zeros are invalid; only later versions have more fields.

/// The caller's place in a distributed trace: the header field `traceparent` of W3C Trace Context.
public struct TraceParent: Hashable, Sendable, CustomStringConvertible {
  /// The value of the header field.
  public let description: String

  /// The identifier of the trace: 32 hexadecimal digits.
  public var traceID: String { String(description.dropFirst(3).prefix(32)) }

  // 512 bytes  [version 0 has 55; the standard has no later version, so this leaves room and bounds a log line]
  private static let maximumByteCount = 512

  /// Reads the value of the header field; nil if it is invalid.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard 55...Self.maximumByteCount ~= bytes.count else { return nil }
    let isFirstVersion = bytes.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "0")])
    guard bytes.count == 55 || !isFirstVersion && bytes[55] == UInt8(ascii: "-"),
      bytes.dropFirst(55).allSatisfy({ 0x21...0x7e ~= $0 })
    else { return nil }
    for (index, byte) in bytes.prefix(55).enumerated() {
      let isSeparator = [2, 35, 52].contains(index)
      guard isSeparator ? byte == UInt8(ascii: "-") : Self.isDigit(byte) else { return nil }
    }
    func hasOnly(_ digit: Character, _ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == digit.asciiValue } }
    guard !hasOnly("f", 0..<2), !hasOnly("0", 3..<35), !hasOnly("0", 36..<52) else { return nil }
    description = text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}
