// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// Lays a tree out for a person: a line for each thing, indented below what it is part of.
struct TreeText {
  let palette: Palette

  /// Whether long byte strings are shown whole.
  let isFull: Bool

  /// Whether each line begins with the place of the thing in the artifact.
  let showsOffsets: Bool

  func text(of node: InspectionNode) -> String {
    var text = ""
    write(node, level: 0, to: &text)
    return text
  }

  private func write(_ node: InspectionNode, level: Int, to output: inout String) {
    let indent = String(repeating: "  ", count: level)
    output += margin(node.span) + indent + palette.name(node.name)
    if let value = node.value { output += ": " + text(of: value) }
    if let note = node.note, !note.isEmpty { output += palette.quiet("  (\(note))") }
    output += "\n"
    let below = margin(nil) + indent + "  "
    for remark in node.remarks { output += below + palette.quiet("note: \(remark)") + "\n" }
    for problem in node.problems { output += below + palette.problem("error: \(problem.description)") + "\n" }
    for child in node.children { write(child, level: level + 1, to: &output) }
  }

  private func margin(_ span: Range<Int>?) -> String {
    guard showsOffsets else { return "" }
    let offset = span.map { "\($0.lowerBound)" } ?? ""
    return String(repeating: " ", count: max(0, 6 - offset.count)) + palette.quiet(offset) + "  "
  }

  private func text(of value: InspectionNode.Value) -> String {
    switch value {
    case .text(let text): text
    case .bytes(let bytes): text(of: bytes)
    }
  }

  private static let longestShown = 32
  private static let shownOfLonger = 24

  private func text(of bytes: Bytes) -> String {
    if bytes.isEmpty { return "no bytes" }
    guard !isFull, bytes.count > Self.longestShown else { return Hex.encode(bytes) }
    return Hex.encode(bytes.prefix(Self.shownOfLonger)) + "… \(byteCount(bytes.count))"
  }
}

extension InspectionProblem: CustomStringConvertible {
  /// The code, the place and what was compared.
  var description: String {
    code + (offset.map { " at offset \($0)" } ?? "") + (message.map { ": \($0)" } ?? "")
  }
}
