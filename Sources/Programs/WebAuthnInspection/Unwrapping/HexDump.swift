// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A dump with an offset on each line, as xxd, `hexdump -C`, `od -t x1`, Wireshark and Format-Hex print it.
enum HexDump {
  /// Returns the bytes of a dump; nil where a line after the first of the dump has another form or its offset is wrong.
  static func bytes(of text: Bytes) -> [UInt8]? {
    var bytes: [UInt8] = []
    var lastLine: [UInt8] = []
    var lineCount = 0
    var repeats = false
    for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).map(\.trimmed) where !line.isEmpty {
      if line.elementsEqual("*".utf8), lineCount > 0 {
        repeats = true
        continue
      }
      guard let (offset, content) = row(line) else {
        if lineCount == 0 { continue }
        return nil
      }
      if repeats, let target = Int(offset, radix: 16), !lastLine.isEmpty, target <= Inspection.maximumByteCount {
        while bytes.count < target { bytes += lastLine }
        repeats = false
      }
      // The offsets of `od` are octal.
      guard Int(offset, radix: 16) == bytes.count || Int(offset, radix: 8) == bytes.count else { return nil }
      bytes += content
      lastLine = content
      lineCount += 1
    }
    return bytes.isEmpty ? nil : bytes
  }

  private static func row(_ line: Bytes) -> (offset: String, content: [UInt8])? {
    let digits = line.prefix(while: \.isHexDigit)
    guard (4...16).contains(digits.count) else { return nil }
    var rest = line[digits.endIndex...]
    let offset = String(decoding: digits, as: UTF8.self)
    if rest.isEmpty { return (offset, []) }
    let hasColon = rest.first == UInt8(ascii: ":")
    if hasColon { rest = rest.dropFirst() }
    guard rest.first?.isSpace ?? false else { return nil }
    rest = rest.trimmed
    // The characters follow a bar, two spaces after groups (xxd), or at least two spaces.
    let isXXD = hasColon
    var end = rest.firstIndex(of: UInt8(ascii: "|")) ?? rest.endIndex
    let gap = [UInt8](repeating: 0x20, count: isXXD ? 2 : 3)
    if let start = rest.indices.first(where: { rest[$0...].starts(with: gap) }) { end = min(end, start) }
    var content: [UInt8] = []
    for group in rest[..<end].split(separator: 0x20) {
      guard content.count < 32, group.count <= 8, let bytes = try? Hex.decode(group) else { break }
      // `od -t x1` and hexdump print bytes; words of two bytes depend on the machine's order.
      guard isXXD || bytes.count == 1 else { return nil }
      content += bytes
      if !isXXD, content.count == 16 { break }
    }
    return content.isEmpty ? nil : (offset, content)
  }

  /// Returns the bytes of text such as `49-96-0D` or `49, 96, 0d`; nil for other text.
  static func separatedBytes(of text: Bytes) -> [UInt8]? {
    let words = text.split {
      $0.isSpace || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ";")
    }
    guard words.count >= 8, words.allSatisfy({ $0.count == 2 }) else { return nil }
    return try? Hex.decode(words.flatMap { $0 })
  }

  /// Returns the bytes of PostgreSQL's `\x4996…`, wherever they occur in the text.
  static func hexAfterBackslash(in text: Bytes) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var rest = text
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = rest[(backslash + 1)...]
      guard rest.first == UInt8(ascii: "x") else { continue }
      let digits = rest.dropFirst().prefix(while: \.isHexDigit)
      rest = rest[digits.endIndex...]
      // 8 bytes  [an escape in a string has one]
      if digits.count >= 16, let bytes = try? Hex.decode(digits) { found.append(bytes) }
    }
    return found
  }
}
