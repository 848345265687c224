// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A value as a console or a debugger prints it: a superset of JSON, Python, JavaScript, Go, Java, Ruby and PHP literals.
struct LogLiteral {
  let value: JSONDraft

  /// The kind of literal, such as `a Python bytes literal`; nil where the text is plain JSON.
  let name: String?

  /// The position after the literal.
  let end: Int

  /// Reads the literal at a position; nil where none begins there.
  init?(in text: Bytes, at start: Int) {
    var reader = LogLiteralReader(text, at: start)
    guard let item = reader.item() else { return nil }
    value = item.draft
    name = reader.name
    end = reader.position
  }

  /// Reads a whole text: one literal, or numbers between commas. Nil for other text.
  init?(whole text: some ByteSource) {
    let text = text.slice
    let trailing = [UInt8](";, \t\r\n".utf8)
    if let literal = Self(in: text, at: text.startIndex), text[literal.end...].allSatisfy(trailing.contains),
      !literal.value.isWord
    {
      self = literal
      return
    }
    var reader = LogLiteralReader(text, at: text.startIndex)
    guard let list = reader.numbers() else { return nil }
    value = .bytes(list)
    name = "a list of numbers"
    end = text.endIndex
  }
}

extension JSONDraft {
  /// Whether the draft is a scalar that plain text could also be.
  fileprivate var isWord: Bool {
    switch self {
    case .integer, .bool, .null, .string: true
    case .bytes, .array, .object: false
    }
  }

  /// The byte that an integer stands for, signed or unsigned.
  fileprivate var isByte: Bool {
    if case .integer(let number) = self { (-128...255).contains(number) } else { false }
  }

  /// Returns the bytes of a list of numbers; nil where an element is not a byte or the list is empty.
  static func bytes(ofNumbers items: [JSONDraft]) -> [UInt8]? {
    guard !items.isEmpty, items.allSatisfy(\.isByte) else { return nil }
    return items.map { (item) in if case .integer(let number) = item { UInt8(truncatingIfNeeded: number) } else { 0 } }
  }
}
