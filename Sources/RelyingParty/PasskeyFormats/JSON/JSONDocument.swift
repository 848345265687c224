// SPDX-License-Identifier: Apache-2.0

/// A parsed text and the positions of its values, shared by all of them.
final class JSONDocument: Sendable {
  let text: Bytes
  let nodes: [JSONNode]

  init(text: Bytes, nodes: [JSONNode]) {
    self.text = text
    self.nodes = nodes
  }

  /// The first character of a node, which determines its kind.
  func firstCharacter(_ node: Int) -> UInt8 {
    text[text.startIndex + nodes[node].range.lowerBound]
  }

  /// The text of a node.
  func encoded(_ node: Int) -> Bytes {
    slice(nodes[node].range)
  }

  /// The characters of a string with escapes resolved: a slice of the text if there are no escapes.
  func characters(_ node: Int) -> Bytes {
    let inside = slice(nodes[node].rangeInside)
    return nodes[node].hasEscapes ? JSONString.withoutEscapes(inside.span)[...] : inside
  }

  /// The index of the node after `node` and everything inside it.
  func next(after node: Int) -> Int {
    nodes[node].next(after: node)
  }

  /// The value of the member `name` of the object at `object`; `nil` if the object lacks the member.
  func member(named name: String, of object: Int) -> Int? {
    let nodes = nodes
    let wanted = name.utf8Span.span
    let hash = JSONString.hash(wanted)
    let end = nodes[object].next(after: object)
    var candidate = object + 1
    while candidate < end {
      if nodes[candidate].hash == hash, isString(nodes[candidate], of: wanted) { return candidate + 1 }
      candidate = nodes[candidate + 1].next(after: candidate + 1)
    }
    return nil
  }

  private func isString(_ string: JSONNode, of characters: Span<UInt8>) -> Bool {
    let inside = slice(string.rangeInside)
    guard string.hasEscapes else { return inside.span.isEqual(to: characters) }
    let withoutEscapes = JSONString.withoutEscapes(inside.span)
    return withoutEscapes.span.isEqual(to: characters)
  }

  private func slice(_ range: Range<Int>) -> Bytes {
    text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
  }
}

/// The position of one value or member name in the text; 12 bytes.
///
/// A document is a flat array of nodes in text order: an array is followed by its elements, an object by the name and
/// value of each member. The first character determines the kind, so a node does not store it.
struct JSONNode: Sendable {
  /// The position of the first character, such as the opening quotation mark or bracket.
  let start: UInt32

  /// The position after the last character.
  private(set) var end: UInt32

  /// For an array or object, the index of the node after everything inside it. For other nodes, flags and a hash.
  private var link: UInt32

  private static let isSimple: UInt32 = 1 << 31
  private static let hasEscapes: UInt32 = 1 << 30

  /// Creates a number, `true`, `false` or `null`.
  init(from start: Int, to end: Int) {
    self.init(start: start, end: end, link: Self.isSimple)
  }

  /// Creates a string. A member name has a `hash` of 30 bits.
  init(stringFrom start: Int, to end: Int, hasEscapes: Bool, hash: UInt32 = 0) {
    let flags = hasEscapes ? Self.isSimple | Self.hasEscapes : Self.isSimple
    self.init(start: start, end: end, link: flags | hash)
  }

  /// Creates an array or object whose end is not known yet.
  init(openAt start: Int) {
    self.init(start: start, end: start, link: 0)
  }

  private init(start: Int, end: Int, link: UInt32) {
    // The text is at most `JSON.maximumSize` bytes, which fits 32 bits.
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.link = link
  }

  /// Closes an array or object. `end` is the position after its last character; `next` is the index of the next node.
  mutating func close(at end: Int, next: Int) {
    self.end = UInt32(truncatingIfNeeded: end)
    link = UInt32(truncatingIfNeeded: next)
  }

  /// The positions of the node's characters.
  var range: Range<Int> { Int(start)..<Int(end) }

  /// The positions of the characters between a string's quotation marks.
  var rangeInside: Range<Int> { Int(start) + 1..<Int(end) - 1 }

  /// The index of the node after this one and everything inside it. This node is at `index`.
  func next(after index: Int) -> Int {
    link & Self.isSimple == 0 ? Int(link) : index + 1
  }

  /// Whether a string contains an escape.
  var hasEscapes: Bool { link & Self.hasEscapes != 0 }

  /// The hash of a name's characters.
  var hash: UInt32 { link & (Self.hasEscapes - 1) }
}
