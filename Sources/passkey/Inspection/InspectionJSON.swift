// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Lays a tree out for a program.
///
/// Each node has a `name`, and where there is one a `value` (bytes as hex, never cut), a `note`, `offset` and `length`,
/// `problems`, `remarks` and `children`.
enum InspectionJSON {
  static func text(of inspection: Inspection) -> [UInt8] {
    JSON.writeObject(.pretty) { output in
      output.write("kind", .string(inspection.kind.rawValue))
      output.write("form", .string(inspection.form.rawValue))
      output.write("length", .integer(inspection.bytes.count))
      output.write("problems", .integer(inspection.tree.problemCount))
      output.writeObject("tree") { write(inspection.tree, into: &$0) }
    }
  }

  private static func write(_ node: InspectionNode, into output: inout JSONObjectWriter) {
    output.write("name", .string(node.name))
    switch node.value {
    case .text(let text)?: output.write("value", .string(text))
    case .bytes(let bytes)?: output.write("value", .string(Hex.encode(bytes)))
    case nil: break
    }
    if let note = node.note { output.write("note", .string(note)) }
    if let span = node.span {
      output.write("offset", .integer(span.lowerBound))
      output.write("length", .integer(span.count))
    }
    if !node.problems.isEmpty {
      output.writeArray("problems") { list in
        for problem in node.problems { list.writeObject { write(problem, into: &$0) } }
      }
    }
    if !node.remarks.isEmpty {
      output.writeArray("remarks") { list in
        for remark in node.remarks { list.write(.string(remark)) }
      }
    }
    if !node.children.isEmpty {
      output.writeArray("children") { list in
        for child in node.children { list.writeObject { write(child, into: &$0) } }
      }
    }
  }

  private static func write(_ problem: InspectionProblem, into output: inout JSONObjectWriter) {
    output.write("code", .string(problem.code))
    if let offset = problem.offset { output.write("offset", .integer(offset)) }
    if let message = problem.message { output.write("message", .string(message)) }
  }
}
