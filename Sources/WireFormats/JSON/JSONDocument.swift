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
