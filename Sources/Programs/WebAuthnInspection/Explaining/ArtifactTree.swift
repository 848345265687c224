// SPDX-License-Identifier: Apache-2.0

/// An inspected artifact as nested lists in HTML, with the lines of `passkey inspect`.
///
/// Limits:
///   parts     4,000  [256 KiB can have more parts than a browser shows in reasonable time]
struct ArtifactTree {
  /// The lists.
  let html: String

  private static let maximumCount = 4_000

  /// Renders an inspection. Byte strings longer than 32 bytes are shortened unless `isFull`.
  init(_ inspection: Inspection, isFull: Bool) {
    var output = "<ul class=\"tree\">\n"
    var count = 0
    Self.write(inspection.titledTree, InspectionText(isFull: isFull), &count, to: &output)
    output += "</ul>\n"
    if count > Self.maximumCount {
      output += "<p class=\"warn notice\">\(count - Self.maximumCount) more parts are not shown. "
      output += "<code>passkey inspect</code> prints them all.</p>\n"
    }
    html = output
  }

  private static func write(
    _ node: InspectionNode, _ layout: InspectionText, _ count: inout Int, to output: inout String
  ) {
    count += 1
    guard count <= maximumCount else {
      for child in node.children { write(child, layout, &count, to: &output) }
      return
    }
    output += "<li><span class=\"name\">\(HTML.visible(node.name))</span>"
    if let value = node.value { output += " <code>\(HTML.visible(layout.text(of: value)))</code>" }
    if let note = node.note, !note.isEmpty { output += " <span class=\"meta\">(\(HTML.visible(note)))</span>" }
    for remark in node.remarks { output += "<p class=\"remark\">note: \(HTML.visible(remark))</p>" }
    for problem in node.problems { output += "<p class=\"problem\">error: \(HTML.visible(problem.description))</p>" }
    if !node.children.isEmpty {
      output += "\n<ul>\n"
      for child in node.children { write(child, layout, &count, to: &output) }
      output += "</ul>\n"
    }
    output += "</li>\n"
  }
}
