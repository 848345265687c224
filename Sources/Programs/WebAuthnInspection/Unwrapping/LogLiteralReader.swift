// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Reads the literals of a log. Malformed text yields nil.
///
/// Limits, with their reasons:
/// - 32 levels [as in JSON; reading is recursive];
/// - at least 4 numbers in a list without a type are bytes [shorter lists are more often algorithms or counts].
struct LogLiteralReader {
  private let text: Bytes
  private(set) var position: Int
  private(set) var name: String?
  private var depth = 0

  private static let minimumNumberCount = 4

  init(_ text: Bytes, at position: Int) {
    self.text = text
    self.position = position
  }

  /// An item, and whether it was written as a name without quotes.
  struct Item {
    var draft: JSONDraft
    var isBare = false
  }

  mutating func item() -> Item? {
    skipSpace()
    guard depth <= JSON.maximumDepth, let first = peek else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch first {
    case UInt8(ascii: "{"): return container(until: UInt8(ascii: "}"))
    case UInt8(ascii: "["): return bracket()
    case UInt8(ascii: "("): return parenthesis()
    case UInt8(ascii: "<"): return angle()
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return strings(isBytes: false)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "@"), UInt8(ascii: ":"):
      position += 1
      return item()
    default: return word()
    }
  }

  /// Reads numbers between commas or spaces up to the end of the text: at least four bytes.
  mutating func numbers() -> [UInt8]? {
    var items: [JSONDraft] = []
    while let item = numberOrCast() {
      items.append(item)
      skipSeparators()
      if position == text.endIndex { break }
    }
    guard position == text.endIndex, items.count >= Self.minimumNumberCount else { return nil }
    return JSONDraft.bytes(ofNumbers: items)
  }

  private mutating func numberOrCast() -> JSONDraft? {
    skipSpace()
    guard let first = peek, first == UInt8(ascii: "(") || first == UInt8(ascii: "-") || first.isDigit,
      let item = item(), case .integer = item.draft
    else { return nil }
    return item.draft
  }

  // MARK: Containers

  private mutating func container(until close: UInt8, type: String? = nil) -> Item? {
    position += 1
    var items: [JSONDraft] = []
    var members: [JSONDraft.Member] = []
    while true {
      skipSeparators()
      guard let next = peek else { return nil }
      if next == close {
        position += 1
        return Item(draft: draft(items, members, type, isList: close != UInt8(ascii: "}")))
      }
      if skipsEllipsis(until: close) { continue }
      guard let key = item() else { return nil }
      guard skipsColon() else {
        items.append(key.draft)
        continue
      }
      guard let value = item() else { return nil }
      // An expanded array of a console has numbered elements and named properties.
      if close == UInt8(ascii: "]"), case .integer = key.draft {
        items.append(value.draft)
      } else {
        if key.isBare { note("console output") }
        members.append(JSONDraft.Member(name: Self.name(of: key.draft), value: value.draft))
      }
    }
  }

  private mutating func draft(
    _ items: [JSONDraft], _ members: [JSONDraft.Member], _ type: String?, isList: Bool
  ) -> JSONDraft {
    if !items.isEmpty || members.isEmpty {
      if type != nil || items.count >= Self.minimumNumberCount, let bytes = JSONDraft.bytes(ofNumbers: items) {
        note(type ?? "a list of numbers")
        return .bytes(bytes)
      }
      return items.isEmpty && !isList ? .object([]) : .array(items)
    }
    func value(_ name: String) -> JSONDraft? { members.first { $0.name == name }?.value }
    if members.enumerated().allSatisfy({ $0.element.name == "\($0.offset)" }),
      let bytes = JSONDraft.bytes(ofNumbers: members.map(\.value))
    {
      note("an object with numbered bytes")
      return .bytes(bytes)
    }
    if let content = value("[Uint8Contents]") { return content }
    if case .string("Buffer")? = value("type"), let data = value("data") {
      note("a Node Buffer")
      if case .array(let numbers) = data { return .bytes(JSONDraft.bytes(ofNumbers: numbers) ?? []) }
      return data
    }
    return .object(members.uniqued)
  }

  private mutating func bracket() -> Item? {
    // []byte{…} and [32]uint8{…} of Go; [Uint8Contents] of Node.
    var reader = self
    reader.position += 1
    while let digit = reader.peek, digit.isDigit { reader.position += 1 }
    if reader.peek == UInt8(ascii: "]") {
      reader.position += 1
      let type = reader.identifier()
      if !type.isEmpty, let open = reader.peek, open == UInt8(ascii: "{") || open == UInt8(ascii: "(") {
        position = reader.position
        return container(
          until: open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ")"), type: "a Go byte slice"
        )
        .map(\.firstIfOne)
      }
    } else if reader.identifier() == "Uint8Contents", reader.peek == UInt8(ascii: "]") {
      position = reader.position + 1
      return Item(draft: .string("[Uint8Contents]"))
    }
    return container(until: UInt8(ascii: "]"))
  }

  private mutating func parenthesis() -> Item? {
    var reader = self
    reader.position += 1
    let type = reader.identifier()
    if !type.isEmpty, reader.peek == UInt8(ascii: ")") {
      position = reader.position + 1
      return item()
    }
    return container(until: UInt8(ascii: ")"))?.firstIfOne
  }

  /// Reads `<Buffer 49 96>` of Node, `<4996 0de5>` of Foundation or `<<73,150>>` of Erlang.
  private mutating func angle() -> Item? {
    guard let close = text[position...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
    var content = text[(position + 1)..<close]
    if content.first == UInt8(ascii: "<") {
      var reader = LogLiteralReader(content.dropFirst(), at: content.startIndex + 1)
      guard let bytes = reader.numbers(), close + 1 < text.endIndex else { return nil }
      position = close + 2
      note("an Erlang binary")
      return Item(draft: .bytes(bytes))
    }
    let isBuffer = content.starts(with: "Buffer ".utf8)
    if isBuffer { content = content.dropFirst(7) }
    let digits = content.prefix { $0.isHexDigit || $0 == UInt8(ascii: " ") }.filter { $0 != UInt8(ascii: " ") }
    guard let bytes = try? Hex.decode(digits), !bytes.isEmpty else { return nil }
    position = close + 1
    note(isBuffer ? "a Node Buffer" : "bytes in angle brackets")
    return Item(draft: .bytes(bytes))
  }

  // MARK: Scalars

  private mutating func number() -> Item? {
    let start = position
    let isNegative = peek == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let digits = identifier()
    let isHex = digits.lowercased().hasPrefix("0x")
    let value = isHex ? Int(digits.dropFirst(2), radix: 16) : Int(digits.prefix { $0.isASCII && $0.isNumber })
    // A cast to UInt8 or a 64-bit literal has a suffix; a date or a version is a word.
    let suffix = isHex ? "" : digits.drop { $0.isASCII && $0.isNumber }
    guard let value, ["", "u8", "i8", "L", "n", "y", "uy"].contains(suffix) else {
      let rest = String(decoding: text[start..<position], as: UTF8.self)
      return rest.isEmpty || rest == "-" ? nil : Item(draft: .string(rest), isBare: true)
    }
    return Item(draft: .integer(isNegative ? -value : value))
  }

  private mutating func word() -> Item? {
    let word = identifier()
    guard !word.isEmpty else { return nil }
    if let quote = peek, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), word.utf8.count <= 2 {
      return strings(isBytes: word.lowercased().contains("b"))
    }
    switch word {
    case "true", "True": return Item(draft: .bool(true))
    case "false", "False": return Item(draft: .bool(false))
    case "null", "None", "nil", "undefined", "NULL": return Item(draft: .null)
    case "new": return item()
    default: break
    }
    if peek == UInt8(ascii: "(") {
      let isCountable = text[(position + 1)...].first?.isDigit ?? false
      guard let content = container(until: UInt8(ascii: ")"), type: isCountable ? nil : Self.typeName(word)) else {
        return nil
      }
      let count = content.firstIfOne.draft
      guard isCountable, case .integer = count else {
        return Item(draft: Self.typeName(word) == nil ? content.draft : content.firstItem.draft)
      }
      if ["int", "byte", "uint8", "Byte", "UInt8"].contains(word) { return Item(draft: count) }
    }
    let afterCount = position
    skipSpace()
    switch peek {
    case UInt8(ascii: "[")?:
      if word == "map" { return container(until: UInt8(ascii: "]")) }
      // `new byte[] {…}` and `[…]` after a type.
      if text[position...].starts(with: "[]".utf8) {
        position += 2
        return item()
      }
      return container(until: UInt8(ascii: "]"), type: Self.typeName(word) ?? "console output")
    case UInt8(ascii: "{")?: return container(until: UInt8(ascii: "}"), type: Self.typeName(word))
    default: break
    }
    position = afterCount
    return Item(draft: .string(word), isBare: true)
  }

  private static func typeName(_ word: String) -> String? {
    switch word {
    case "Buffer.from", "Buffer": "a Node Buffer"
    case "bytes", "bytearray": "a Python bytes object"
    case "Uint8Array", "Int8Array", "ArrayBuffer", "Uint8ClampedArray": "JavaScript's \(word)"
    case "byte", "sbyte", "vec!", "byteArrayOf", "arrayOf", "Data": "a list of numbers"
    default: nil
    }
  }

  /// Reads adjacent string literals as one.
  private mutating func strings(isBytes: Bool) -> Item? {
    var content: [UInt8] = []
    var isBinary = isBytes
    repeat {
      if let prefix = peek, prefix == UInt8(ascii: "b") { position += 1 }
      guard let part = string() else { return nil }
      content += part.content
      isBinary = isBinary || part.isBinary
    } while continuesString(isBytes: isBytes)
    if isBytes { note("a Python bytes literal") }
    if isBinary {
      note("an escaped string")
      return Item(draft: .bytes(content))
    }
    guard let text = String(validating: content, as: UTF8.self) else { return nil }
    return Item(draft: .string(text))
  }

  private mutating func continuesString(isBytes: Bool) -> Bool {
    guard isBytes else { return false }
    var reader = self
    reader.skipSpace()
    guard text[reader.position...].starts(with: "b'".utf8) || text[reader.position...].starts(with: "b\"".utf8)
    else { return false }
    position = reader.position
    return true
  }

  private mutating func string() -> (content: [UInt8], isBinary: Bool)? {
    guard let quote = peek else { return nil }
    if quote == UInt8(ascii: "'") { note("a Python or JavaScript literal") }
    position += 1
    var content: [UInt8] = []
    var isBinary = false
    while let byte = peek {
      position += 1
      if byte == quote { return (content, isBinary) }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      guard let escape = LogEscape(text, at: position) else { return nil }
      content += escape.content
      isBinary = isBinary || escape.isBinary
      position = escape.end
    }
    return nil
  }

  // MARK: Between values

  private var peek: UInt8? { position < text.endIndex ? text[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte.isSpace { position += 1 }
  }

  private mutating func skipSeparators() {
    while let byte = peek, byte.isSpace || byte == UInt8(ascii: ",") { position += 1 }
  }

  private mutating func skipsEllipsis(until close: UInt8) -> Bool {
    guard text[position...].starts(with: "...".utf8) || text[position...].starts(with: "…".utf8) else { return false }
    while let byte = peek, byte != close { position += 1 }
    return true
  }

  private mutating func skipsColon() -> Bool {
    let start = position
    skipSpace()
    for sign in [":", "=>", "="] where text[position...].starts(with: sign.utf8) {
      position += sign.utf8.count
      return true
    }
    position = start
    return false
  }

  private mutating func identifier() -> String {
    let start = position
    while let byte = peek, byte.isNameCharacter || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "$") {
      // A range or an ellipsis ends a name.
      if byte == UInt8(ascii: "."), text[position...].starts(with: "..".utf8) { break }
      position += 1
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func note(_ name: String) {
    // A part's name is kept until a more specific one is found.
    let isGeneral = self.name.map {
      ["console output", "a Python or JavaScript literal", "a list of numbers"].contains($0)
    }
    if isGeneral ?? true { self.name = name }
  }

  private static func name(of draft: JSONDraft) -> String {
    switch draft {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .array(let items): items.first.map(name) ?? ""
    default: ""
    }
  }
}

extension LogLiteralReader.Item {
  /// The only element of a list; the item itself otherwise.
  fileprivate var firstIfOne: Self {
    if case .array(let items) = draft, items.count == 1, let first = items.first { Self(draft: first) } else { self }
  }

  /// The first element of a list, such as the first argument of a call; the item itself otherwise.
  fileprivate var firstItem: Self {
    if case .array(let items) = draft, let first = items.first { Self(draft: first) } else { self }
  }
}

extension [JSONDraft.Member] {
  /// The members without later ones of the same name, which JSON forbids.
  fileprivate var uniqued: Self {
    var names: Set<String> = []
    return filter { names.insert($0.name).inserted }
  }
}
