// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspection {
  /// Renders the artifact as text: one line per part, indented below the part that contains it.
  ///
  /// All text from the artifact is escaped, so that the result can be printed to a terminal.
  ///
  /// - Parameter layout: How to lay out and color the lines.
  /// - Returns: The lines, each with a line feed.
  package func text(_ layout: InspectionText = InspectionText()) -> String {
    layout.text(of: titledTree)
  }

  /// The tree with the size of the artifact and the form in which it was written.
  var titledTree: InspectionNode {
    var titled = tree
    let isPlain = form == .text || (form == .raw && !wrappers.isEmpty)
    let origin = (isPlain ? [] : [form.rawValue]) + wrappers.reversed()
    let from = origin.isEmpty ? nil : "from " + origin.joined(separator: " in ")
    titled.note = [tree.note, byteCount(bytes.count), from].compactMap { $0 }.joined(separator: ", ")
    return titled
  }
}

/// The layout of an artifact's tree as text.
package struct InspectionText: Sendable {
  private let isFull: Bool
  private let showsOffsets: Bool
  private let style: @Sendable (_ text: String, _ role: Role) -> String

  /// The role of a piece of text, by which a terminal can color it.
  package enum Role: Sendable {
    /// The name of a part.
    case name
    /// A note, a remark or an offset.
    case secondary
    /// A problem.
    case problem
  }

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - isFull: Whether byte strings longer than 32 bytes are shown in full.
  ///   - showsOffsets: Whether each line begins with the offset of its part.
  ///   - style: Returns a piece of text with the escape sequences of its role. By default it returns the text unchanged.
  package init(
    isFull: Bool = false, showsOffsets: Bool = false,
    style: @escaping @Sendable (_ text: String, _ role: Role) -> String = { (text, _) in text }
  ) {
    self.isFull = isFull
    self.showsOffsets = showsOffsets
    self.style = style
  }

  func text(of node: InspectionNode) -> String {
    var text = ""
    write(node, level: 0, to: &text)
    return text
  }

  private func write(_ node: InspectionNode, level: Int, to output: inout String) {
    let indent = String(repeating: "  ", count: level)
    output += margin(node.span) + indent + style(node.name, .name)
    if let value = node.value { output += ": " + text(of: value) }
    if let note = node.note, !note.isEmpty { output += style("  (\(note))", .secondary) }
    output += "\n"
    let below = margin(nil) + indent + "  "
    for remark in node.remarks { output += below + style("note: \(remark)", .secondary) + "\n" }
    for problem in node.problems { output += below + style("error: \(problem.description)", .problem) + "\n" }
    for child in node.children { write(child, level: level + 1, to: &output) }
  }

  private func margin(_ span: Range<Int>?) -> String {
    guard showsOffsets else { return "" }
    let offset = span.map { "\($0.lowerBound)" } ?? ""
    return String(repeating: " ", count: max(0, 6 - offset.count)) + style(offset, .secondary) + "  "
  }

  func text(of value: InspectionNode.Value) -> String {
    switch value {
    case .text(let text): text
    case .bytes(let bytes): text(of: bytes)
    case .identifier(let bytes): bytes.isEmpty ? "no bytes" : Base64URL.encode(bytes)
    }
  }

  private static let maximumShownByteCount = 32
  private static let shortenedByteCount = 24

  private func text(of bytes: Bytes) -> String {
    if bytes.isEmpty { return "no bytes" }
    guard !isFull, bytes.count > Self.maximumShownByteCount else { return Hex.encode(bytes) }
    return Hex.encode(bytes.prefix(Self.shortenedByteCount)) + "… \(byteCount(bytes.count))"
  }
}
