// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// One way to read an input: its form and the decoded bytes.
struct InputReading {
  let form: Inspection.Form
  let bytes: [UInt8]

  /// The wrappers around the text or the bytes, such as `a curl command`, the outermost first.
  var wrappers: [String] = []

  /// The number of PEM blocks that follow this one in the text.
  var followers = 0

  /// The number of characters at the end that do not decode, because the text was cut.
  var ignoredCharacterCount = 0

  /// The reason why the text is not entirely of its form.
  var problem: InspectionProblem?

  /// Whether the reading is the text form of a UUID.
  var isUUID: Bool { form == .text && AAGUID(uuid: String(decoding: bytes, as: UTF8.self)) != nil }

  /// Returns every way to read `input`, the likeliest first. The undecoded input is always among them, unless it is PEM.
  ///
  /// - Throws: `WireError` where a PEM block is malformed.
  static func readings(of input: [UInt8]) throws(WireError) -> [InputReading] {
    var readings = try literalReadings(of: input)
    var text = input
    // Three levels: escaped quotes around the value of a named member, or a JSON string inside a quoted log line.
    for _ in 0..<3 {
      guard let inner = value(ofMember: text) ?? unquoted(text) else { break }
      readings += try literalReadings(of: inner)
      text = inner
    }
    return readings
  }

  private static let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]

  /// Returns the value of text such as `challenge: 'o2Nm…',`; nil for other text. The name may be quoted.
  private static func value(ofMember input: [UInt8]) -> [UInt8]? {
    guard let text = printableText(input), let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon].trimmed.filter { !quotes.contains($0) }
    // Hex digits are not a name: colons may separate them.
    guard let first = name.first, first.isLetter, name.allSatisfy(\.isNameCharacter),
      name.contains(where: { !$0.isHexDigit })
    else { return nil }
    var value = text[(colon + 1)...].trimmed
    if value.last == UInt8(ascii: ",") { value = value.dropLast() }
    return value.isEmpty || value.starts(with: [UInt8]("//".utf8)) ? nil : [UInt8](value)
  }

  /// Returns the content of quoted text, without its escapes; nil where the text is not quoted.
  ///
  /// Escaped text without quotes around it, such as `{\"id\":…}` or `\u0022o2Nm…\u0022`, counts as quoted too.
  private static func unquoted(_ input: [UInt8]) -> [UInt8]? {
    guard var text = printableText(input) else { return nil }
    if text.last == UInt8(ascii: ",") { text = text.dropLast() }
    var isQuoted = false
    if text.count > 2, let first = text.first, quotes.contains(first), text.last == first {
      text = text.dropFirst().dropLast()
      isQuoted = true
    }
    let quote = UInt8(ascii: "\"")
    if text.contains(UInt8(ascii: "\\")), let value = try? JSON.parse([quote] + text + [quote]),
      let content = try? value.string
    {
      return [UInt8](content.utf8)
    }
    return isQuoted ? [UInt8](text) : nil
  }

  private static func literalReadings(of input: [UInt8]) throws(WireError) -> [InputReading] {
    guard let text = printableText(input) else { return [InputReading(form: .raw, bytes: input)] }
    var readings: [InputReading] = []
    let blocks = try PEM.blocks(in: text)
    if let block = blocks.first {
      return [InputReading(form: .pem, bytes: block.bytes, followers: blocks.count - 1)]
    }
    let letters = Self.withoutSpace(text)
    if let reading = hex(letters) { readings.append(reading) }
    if let reading = base64(text, letters) { readings.append(reading) }
    readings.append(InputReading(form: .text, bytes: [UInt8](text)))
    return readings
  }

  /// Reads hexadecimal digits. An odd number of them counts as hex if the text is too long to be anything else.
  private static func hex(_ letters: [UInt8]) -> InputReading? {
    let digits = hexDigits(in: letters)
    do throws(WireError) {
      let bytes = try Hex.decode(digits)
      return bytes.isEmpty ? nil : InputReading(form: .hex, bytes: bytes)
    } catch  where error.code == .hexOddLength && digits.count >= minimumOddCount {
      guard let bytes = try? Hex.decode(digits.dropLast()) else { return nil }
      return InputReading(form: .hex, bytes: bytes, problem: InspectionProblem(error))
    } catch {
      return nil
    }
  }

  // Nine random characters of base64url are hexadecimal digits once in 15,000 times.
  private static let minimumOddCount = 9

  /// Reads base64 or base64url. It may have line breaks; words with spaces between them are text.
  private static func base64(_ text: Bytes, _ letters: [UInt8]) -> InputReading? {
    let lines = text.split { (byte) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    let words = lines.map { (line) in line.split { (byte) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") } }
    guard !letters.isEmpty, words.allSatisfy({ $0.count <= 1 }) else { return nil }
    guard let bytes = try? Base64.decodeLeniently(letters) else { return cutBase64(letters) }
    let isURL = (try? Base64URL.decode(letters)) != nil
    return InputReading(form: isURL ? .base64url : .base64, bytes: bytes)
  }

  /// Reads base64 or base64url that was cut in the middle of a group of four characters.
  private static func cutBase64(_ letters: [UInt8]) -> InputReading? {
    let ignored = letters.count % 4
    guard ignored > 0, letters.count > minimumCutLength,
      let bytes = try? Base64.decodeLeniently(letters.dropLast(ignored)),
      letters.suffix(ignored).allSatisfy({ (try? Base64.decodeLeniently([0x41, 0x41, 0x41, $0])) != nil })
    else { return nil }
    let isURL = (try? Base64URL.decode(letters.dropLast(ignored))) != nil
    return InputReading(form: isURL ? .base64url : .base64, bytes: bytes, ignoredCharacterCount: ignored)
  }

  // A word of a few letters is not cut Base64.
  private static let minimumCutLength = 20

  /// Returns the input without surrounding white space if it is printable ASCII, or JSON in UTF-8.
  private static func printableText(_ input: [UInt8]) -> Bytes? {
    let trimmed = JSON.withoutByteOrderMark(input).trimmed
    let isJSON = trimmed.first == UInt8(ascii: "{") || trimmed.first == UInt8(ascii: "[")
    let isPrintable = trimmed.allSatisfy { (0x20...0x7e).contains($0) || $0.isSpace }
    return !trimmed.isEmpty && (isPrintable || (isJSON && String(validating: trimmed, as: UTF8.self) != nil))
      ? trimmed : nil
  }

  private static func withoutSpace(_ text: Bytes) -> [UInt8] { text.filter { !$0.isSpace } }

  /// Removes the prefix 0x and colons between the bytes.
  private static func hexDigits(in letters: [UInt8]) -> [UInt8] {
    letters.dropFirst(letters.starts(with: "0x".utf8) ? 2 : 0).filter { $0 != UInt8(ascii: ":") }
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }

  var isDigit: Bool { (0x30...0x39).contains(self) }

  var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }

  var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }

  /// Whether the byte may be part of a member's name: a letter, a digit, or one of `-._`.
  var isNameCharacter: Bool { isLetter || isDigit || [0x2d, 0x2e, 0x5f].contains(self) }
}

extension Bytes {
  var trimmed: Bytes {
    let start = firstIndex { !$0.isSpace } ?? endIndex
    let end = self[start...].lastIndex { !$0.isSpace }
    return self[start..<(end.map { $0 + 1 } ?? start)]
  }
}
