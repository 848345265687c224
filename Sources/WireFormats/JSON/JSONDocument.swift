// SPDX-License-Identifier: Apache-2.0

/// A text that has been read, and where everything in it stands; shared by all values of it.
final class JSONDocument: Sendable {
  let text: Bytes
  let nodes: [JSONNode]

  init(text: Bytes, nodes: [JSONNode]) {
    self.text = text
    self.nodes = nodes
  }

  /// The first character of a node, which tells what it is.
  func firstCharacter(_ node: Int) -> UInt8 {
    text[text.startIndex + nodes[node].range.lowerBound]
  }

  /// The characters of a node as they stand in the text.
  func encoded(_ node: Int) -> Bytes {
    slice(nodes[node].range)
  }

  /// The characters that a string stands for: a slice of the text when it has no escapes.
  func characters(_ node: Int) -> Bytes {
    let inside = slice(nodes[node].rangeInside)
    return nodes[node].hasEscapes ? JSONString.withoutEscapes(inside.span)[...] : inside
  }

  /// The index of the node behind `node` and everything inside it.
  func next(after node: Int) -> Int {
    nodes[node].next(after: node)
  }

  /// The value of the member called `name` of the object at `object`.
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

/// Where one value, or one member's name, stands in the text; 12 bytes.
///
/// A document is a flat array of these, in the order of the text: an array is followed by its elements, an object by each
/// member's name and value. The kind is not kept, since the first character tells it.
struct JSONNode: Sendable {
  /// The position of the first character: the quotation mark of a string, the bracket of an array.
  let start: UInt32

  /// The position behind the last character.
  private(set) var end: UInt32

  /// For an array or object, the index of the node behind everything inside it. For the rest, flags and a hash.
  private var link: UInt32

  private static let isSimple: UInt32 = 1 << 31
  private static let hasEscapes: UInt32 = 1 << 30

  /// A number, `true`, `false` or `null`.
  init(from start: Int, to end: Int) {
    self.init(start: start, end: end, link: Self.isSimple)
  }

  /// A string; `hash`, which has 30 bits, is for a member's name.
  init(stringFrom start: Int, to end: Int, hasEscapes: Bool, hash: UInt32 = 0) {
    let flags = hasEscapes ? Self.isSimple | Self.hasEscapes : Self.isSimple
    self.init(start: start, end: end, link: flags | hash)
  }

  /// An array or object that has only been opened.
  init(openAt start: Int) {
    self.init(start: start, end: start, link: 0)
  }

  private init(start: Int, end: Int, link: UInt32) {
    // No text is longer than `JSON.maximumSize`, which fits.
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.link = link
  }

  /// Closes an array or object whose last character ends at `end`; `next` is the index of the node to come.
  mutating func close(at end: Int, next: Int) {
    self.end = UInt32(truncatingIfNeeded: end)
    link = UInt32(truncatingIfNeeded: next)
  }

  /// The positions of its characters.
  var range: Range<Int> { Int(start)..<Int(end) }

  /// The positions of the characters between a string's quotation marks.
  var rangeInside: Range<Int> { Int(start) + 1..<Int(end) - 1 }

  /// The index of the node behind this one, which is at `index`, and behind everything inside it.
  func next(after index: Int) -> Int {
    link & Self.isSimple == 0 ? Int(link) : index + 1
  }

  /// Whether a string has a backslash in it.
  var hasEscapes: Bool { link & Self.hasEscapes != 0 }

  /// The hash of a name's characters.
  var hash: UInt32 { link & (Self.hasEscapes - 1) }
}
