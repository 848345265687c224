// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Text in an encoding of a transport: UTF-16, percent-encoding, HTML or a shell.
enum EncodedText {
  /// Returns UTF-16 as UTF-8; nil for other bytes. Without a byte order mark, the first characters must be ASCII.
  static func utf8(ofUTF16 bytes: Bytes) -> [UInt8]? {
    guard bytes.count >= 4, bytes.count % 2 == 0 else { return nil }
    let start = Array(bytes.prefix(16))
    let isLittle: Bool
    if start.starts(with: [0xff, 0xfe]) {
      isLittle = true
    } else if start.starts(with: [0xfe, 0xff]) {
      isLittle = false
    } else {
      let odd = stride(from: 1, to: start.count, by: 2).map { start[$0] }
      let even = stride(from: 0, to: start.count, by: 2).map { start[$0] }
      let isPrintable = { (byte: UInt8) in (0x20...0x7e).contains(byte) || byte.isSpace }
      if odd.allSatisfy({ $0 == 0 }), even.allSatisfy(isPrintable) {
        isLittle = true
      } else if even.allSatisfy({ $0 == 0 }), odd.allSatisfy(isPrintable) {
        isLittle = false
      } else {
        return nil
      }
    }
    var units: [UInt16] = []
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      units.append(isLittle ? second << 8 | first : first << 8 | second)
      position += 2
    }
    return [UInt8](String(decoding: units, as: UTF16.self).utf8)
  }

  /// Returns the values of percent-encoded text: those of a form or a query, or the whole text.
  static func percentDecoded(_ text: Bytes) -> [[UInt8]] {
    guard text.contains(UInt8(ascii: "%")) else { return [] }
    let query = text.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
    let values = query.map { (pair) in
      pair.firstIndex(of: UInt8(ascii: "=")).map { pair[($0 + 1)...] } ?? pair
    }
    return values.compactMap(Self.withoutPercent)
  }

  private static func withoutPercent(_ text: Bytes) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "%")) else { return nil }
    var output: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      if byte == UInt8(ascii: "%") {
        guard let value = try? Hex.decode(text[(position + 1)...].prefix(2)), value.count == 1 else { return nil }
        output += value
        position += 3
      } else {
        output.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        position += 1
      }
    }
    return output
  }

  /// Returns text without HTML's character references; nil where it has none.
  static func withoutReferences(_ text: Bytes) -> [UInt8]? {
    let names = ["&quot;": "\"", "&#34;": "\"", "&#x22;": "\"", "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"]
    guard names.keys.contains(where: { (name) in text.indices.contains { text[$0...].starts(with: name.utf8) } })
    else { return nil }
    var output: [UInt8] = []
    var rest = text
    while let first = rest.first {
      if first == UInt8(ascii: "&"), let (name, sign) = names.first(where: { rest.starts(with: $0.key.utf8) }) {
        output += sign.utf8
        rest = rest.dropFirst(name.utf8.count)
      } else {
        output.append(first)
        rest = rest.dropFirst()
      }
    }
    return output
  }

  /// Returns the bodies that a curl command sends; none for other text.
  static func bodies(ofCurl text: Bytes) -> [[UInt8]] {
    let words = shellWords(text)
    guard words.contains(where: { $0.elementsEqual("curl".utf8) || $0.elementsEqual("curl.exe".utf8) }) else {
      return []
    }
    let options = ["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F"]
    return zip(words, words.dropFirst()).compactMap { (option, value) in
      options.contains { option.elementsEqual($0.utf8) } ? value : nil
    }
  }

  /// Returns the words of a shell's command. An open quote ends at the end of the text.
  private static func shellWords(_ text: Bytes) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var quote: UInt8?
    var isEscaping = false
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") || isEscaping {
        if isEscaping, let escape = LogEscape(text, at: position) {
          word = (word ?? []) + escape.content
          position = escape.end
        } else if position < text.endIndex {
          let next = text[position]
          position += 1
          // Between quotation marks, a backslash is kept before other characters.
          let isKept = quote != nil && ![UInt8]("\"\\$`\n".utf8).contains(next)
          if next != 0x0a { word = (word ?? []) + (isKept ? [byte, next] : [next]) }
        }
      } else if let open = quote {
        if byte == open {
          quote = nil
          isEscaping = false
        } else {
          word?.append(byte)
        }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "'"), word?.elementsEqual("$".utf8) ?? false {
          isEscaping = true
          word = []
        }
        quote = byte
        word = word ?? []
      } else if byte.isSpace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        if word == nil { word = [] }
        word?.append(byte)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
