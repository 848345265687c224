// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
  /// A string that is a value.
  mutating func readString(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    let (end, hasEscapes) = try scanString(in: text, at: start)
    nodes.append(JSONNode(stringFrom: start, to: end, hasEscapes: hasEscapes))
    return end
  }

  /// A string that is a member's name.
  mutating func readName(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    guard try character(in: text, at: start) == UInt8(ascii: "\"") else {
      throw WireError(.jsonUnexpectedCharacter, at: start)
    }
    let (end, hasEscapes) = try scanString(in: text, at: start)
    let inside = text.extracting(start + 1..<end - 1)
    let hash = hasEscapes ? JSONString.hash(JSONString.withoutEscapes(inside).span) : JSONString.hash(inside)
    nodes.append(JSONNode(stringFrom: start, to: end, hasEscapes: hasEscapes, hash: hash))
    return end
  }

  private func scanString(
    in text: Span<UInt8>, at start: Int
  ) throws(WireError) -> (end: Int, hasEscapes: Bool) {
    var hasEscapes = false
    var position = start + 1
    while true {
      position = JSONString.firstSpecial(in: text, from: position)
      switch try character(in: text, at: position) {
      case UInt8(ascii: "\""):
        return (position + 1, hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position = try JSONEscape.read(in: text, at: position).end
      case 0x80...:
        // Where there is one such character, there are usually more.
        repeat {
          let length = lengthOfUTF8Sequence(in: text, at: position)
          guard length > 0 else { throw WireError(.jsonInvalidUTF8, at: position) }
          position += length
        } while position < text.count && text[position] >= 0x80
      default:
        throw WireError(.jsonControlCharacter, at: position)
      }
    }
  }
}
