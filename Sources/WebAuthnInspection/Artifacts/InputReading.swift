// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// One way to read an input: its form and the decoded bytes.
struct InputReading {
  let form: Inspection.Form
  let bytes: [UInt8]

  /// The number of PEM blocks that follow this one in the text.
  var followers = 0

  /// The number of characters at the end that do not decode, because the text was cut.
  var ignoredCharacterCount = 0

  /// Returns every way to read `input`, the likeliest first. The undecoded input is always among them, unless it is PEM.
  ///
  /// - Throws: `WireError` where a PEM block is malformed.
  static func readings(of input: [UInt8]) throws(WireError) -> [InputReading] {
    var readings = try literalReadings(of: input)
    var text = input
    // Two levels: a JSON document inside a JSON string inside a quoted log line.
    for _ in 0..<2 {
      guard let inner = unquoted(text) else { break }
      readings += try literalReadings(of: inner)
      text = inner
    }
    return readings
  }

  /// Returns the content of quoted text, without its escapes; nil where the text is not quoted.
  ///
  /// Escaped JSON without quotes around it, such as `{\"id\":…}`, counts as quoted too.
  private static func unquoted(_ input: [UInt8]) -> [UInt8]? {
    guard var text = printableText(input) else { return nil }
    if text.last == UInt8(ascii: ",") { text = text.dropLast() }
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]
    if text.count > 2, let first = text.first, quotes.contains(first), text.last == first {
      text = text.dropFirst().dropLast()
    } else if !text.starts(with: [UInt8]("{\\\"".utf8)) {
      return nil
    }
    let quote = UInt8(ascii: "\"")
    if text.contains(UInt8(ascii: "\\")), let value = try? JSON.parse(([quote] + text + [quote])[...]),
      let content = try? value.string
    {
      return [UInt8](content.utf8)
    }
    return [UInt8](text)
  }

  private static func literalReadings(of input: [UInt8]) throws(WireError) -> [InputReading] {
    guard let text = printableText(input) else { return [InputReading(form: .raw, bytes: input)] }
    var readings: [InputReading] = []
    let blocks = try PEM.blocks(in: text)
    if let block = blocks.first {
      return [InputReading(form: .pem, bytes: block.bytes, followers: blocks.count - 1)]
    }
    let letters = Self.withoutSpace(text)
    if let bytes = try? Hex.decode(Self.hexDigits(in: letters)), !bytes.isEmpty {
      readings.append(InputReading(form: .hex, bytes: bytes))
    }
    if !letters.isEmpty, let bytes = try? Base64.decodeLeniently(letters) {
      let isURL = (try? Base64URL.decode(letters)) != nil
      readings.append(InputReading(form: isURL ? .base64url : .base64, bytes: bytes))
    } else if let reading = cutBase64(letters) {
      readings.append(reading)
    }
    readings.append(InputReading(form: .text, bytes: [UInt8](text)))
    return readings
  }

  /// Reads Base64 or Base64url that was cut in the middle of a group of four characters.
  private static func cutBase64(_ letters: Bytes) -> InputReading? {
    let ignored = letters.count % 4
    guard ignored > 0, letters.count > minimumCutLength,
      let bytes = try? Base64.decodeLeniently(letters.dropLast(ignored)),
      letters.suffix(ignored).allSatisfy({ (try? Base64.decodeLeniently([0x41, 0x41, 0x41, $0][...])) != nil })
    else { return nil }
    let isURL = (try? Base64URL.decode(letters.dropLast(ignored))) != nil
    return InputReading(form: isURL ? .base64url : .base64, bytes: bytes, ignoredCharacterCount: ignored)
  }

  // A word of a few letters is not cut Base64.
  private static let minimumCutLength = 20

  /// Returns the input without surrounding white space if it is printable ASCII, or JSON in UTF-8.
  private static func printableText(_ input: [UInt8]) -> Bytes? {
    let trimmed = JSON.withoutByteOrderMark(input[...]).trimmed
    let isJSON = trimmed.first == UInt8(ascii: "{") || trimmed.first == UInt8(ascii: "[")
    let isPrintable = trimmed.allSatisfy { (0x20...0x7e).contains($0) || $0.isSpace }
    return !trimmed.isEmpty && (isPrintable || (isJSON && String(validating: trimmed, as: UTF8.self) != nil))
      ? trimmed : nil
  }

  private static func withoutSpace(_ text: Bytes) -> Bytes {
    text.contains(where: \.isSpace) ? text.filter { !$0.isSpace }[...] : text
  }

  /// Removes the prefix 0x and colons between the bytes.
  private static func hexDigits(in letters: Bytes) -> Bytes {
    let digits = letters.starts(with: [UInt8]("0x".utf8)) ? letters.dropFirst(2) : letters
    return digits.contains(UInt8(ascii: ":")) ? digits.filter { $0 != UInt8(ascii: ":") }[...] : digits
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension Bytes {
  fileprivate var trimmed: Bytes {
    let start = firstIndex { !$0.isSpace } ?? endIndex
    let end = self[start...].lastIndex { !$0.isSpace }
    return self[start..<(end.map { $0 + 1 } ?? start)]
  }
}
