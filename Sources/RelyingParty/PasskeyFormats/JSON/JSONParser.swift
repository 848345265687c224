// SPDX-License-Identifier: Apache-2.0

/// Checks a whole text and records the position of every value.
///
/// Positions, including error offsets, count from the first character. Each function takes its start position and
/// returns its end position.
struct JSONParser {
  var nodes: [JSONNode] = []

  /// Returns the nodes of a text that is one value.
  static func parse(_ text: Span<UInt8>) throws(WireError) -> [JSONNode] {
    var parser = JSONParser()
    // Three doublings give one node for every two characters, which is the maximum: `[1,1,1]`.
    parser.nodes.reserveCapacity(text.count / 16 + 8)
    let end = try parser.readValue(in: text, at: skipWhiteSpace(in: text, from: 0), depth: 0)
    let rest = skipWhiteSpace(in: text, from: end)
    guard rest == text.count else { throw WireError(.jsonTrailingBytes, at: rest) }
    return parser.nodes
  }

  private mutating func readValue(in text: Span<UInt8>, at position: Int, depth: Int) throws(WireError) -> Int {
    switch try character(in: text, at: position) {
    case UInt8(ascii: "\""): try readString(in: text, at: position)
    case UInt8(ascii: "{"): try readObject(in: text, at: position, depth: depth)
    case UInt8(ascii: "["): try readArray(in: text, at: position, depth: depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber(in: text, at: position)
    case UInt8(ascii: "t"): try readWord("true", in: text, at: position)
    case UInt8(ascii: "f"): try readWord("false", in: text, at: position)
    case UInt8(ascii: "n"): try readWord("null", in: text, at: position)
    default: throw WireError(.jsonUnexpectedCharacter, at: position)
    }
  }

  private mutating func readArray(in text: Span<UInt8>, at start: Int, depth: Int) throws(WireError) -> Int {
    let array = try open(at: start, depth: depth)
    var position = Self.skipWhiteSpace(in: text, from: start + 1)
    if try character(in: text, at: position) == UInt8(ascii: "]") { return close(array, at: position) }
    while true {
      position = try readValue(in: text, at: position, depth: depth + 1)
      position = Self.skipWhiteSpace(in: text, from: position)
      switch try character(in: text, at: position) {
      case UInt8(ascii: ","): position = Self.skipWhiteSpace(in: text, from: position + 1)
      case UInt8(ascii: "]"): return close(array, at: position)
      default: throw WireError(.jsonUnexpectedCharacter, at: position)
      }
    }
  }

  private mutating func readObject(in text: Span<UInt8>, at start: Int, depth: Int) throws(WireError) -> Int {
    let object = try open(at: start, depth: depth)
    var position = Self.skipWhiteSpace(in: text, from: start + 1)
    if try character(in: text, at: position) == UInt8(ascii: "}") { return close(object, at: position) }
    var count = 0
    while true {
      position = try readName(in: text, at: position)
      position = Self.skipWhiteSpace(in: text, from: position)
      guard try character(in: text, at: position) == UInt8(ascii: ":") else {
        throw WireError(.jsonUnexpectedCharacter, at: position)
      }
      position = Self.skipWhiteSpace(in: text, from: position + 1)
      position = try readValue(in: text, at: position, depth: depth + 1)
      position = Self.skipWhiteSpace(in: text, from: position)
      count += 1
      switch try character(in: text, at: position) {
      case UInt8(ascii: ","): position = Self.skipWhiteSpace(in: text, from: position + 1)
      case UInt8(ascii: "}"):
        let end = close(object, at: position)
        try refuseDuplicates(amongMembersOf: object, count: count, in: text)
        return end
      default: throw WireError(.jsonUnexpectedCharacter, at: position)
      }
    }
  }

  private mutating func open(at position: Int, depth: Int) throws(WireError) -> Int {
    guard depth < JSON.maximumDepth else { throw WireError(.jsonDepthExceeded, at: position) }
    nodes.append(JSONNode(openAt: position))
    return nodes.count - 1
  }

  private mutating func close(_ node: Int, at position: Int) -> Int {
    nodes[node].close(at: position + 1, next: nodes.count)
    return position + 1
  }

  private mutating func readWord(_ word: String, in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    let expected = word.utf8Span.span
    for place in expected.indices {
      guard try character(in: text, at: start + place) == expected[place] else {
        throw WireError(.jsonUnexpectedCharacter, at: start + place)
      }
    }
    nodes.append(JSONNode(from: start, to: start + expected.count))
    return start + expected.count
  }

  private mutating func readNumber(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    let integer = text[start] == UInt8(ascii: "-") ? start + 1 : start
    var position = try readDigits(in: text, at: integer)
    if text[integer] == UInt8(ascii: "0"), position > integer + 1 {
      throw WireError(.jsonInvalidNumber, at: integer + 1)
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position = try readDigits(in: text, at: position + 1)
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      let sign = try character(in: text, at: position + 1)
      let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      position = try readDigits(in: text, at: position + (isSigned ? 2 : 1))
    }
    nodes.append(JSONNode(from: start, to: position))
    return position
  }

  private func readDigits(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    guard isDigit(try character(in: text, at: start)) else { throw WireError(.jsonInvalidNumber, at: start) }
    var position = start + 1
    while position < text.count, isDigit(text[position]) { position += 1 }
    return position
  }

  private func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }

  private static func skipWhiteSpace(in text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < text.count, text[position].isASCIIWhiteSpace { position += 1 }
    return position
  }
}

extension JSONParser {
  /// Returns the character at `position`, or throws if the text ends there.
  func character(in text: Span<UInt8>, at position: Int) throws(WireError) -> UInt8 {
    guard position < text.count else { throw WireError(.jsonTruncated, at: text.count) }
    return text[position]
  }
}
