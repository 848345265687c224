// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspection {
  /// Renders the artifact as one JSON document.
  ///
  /// Each node has a `name` and, where they apply, a `value` (bytes in hex, IDs and challenges in base64url, never
  /// shortened), a `note`, `offset` and `length`, `problems`, `remarks` and `children`.
  package func json() -> [UInt8] {
    JSON.writeObject(.pretty) { output in
      output.write("kind", .string(kind.rawValue))
      output.write("form", .string(form.rawValue))
      if !wrappers.isEmpty {
        output.writeArray("wrappers") { list in for wrapper in wrappers { list.write(.string(wrapper)) } }
      }
      output.write("length", .integer(bytes.count))
      output.write("problems", .integer(tree.problemCount))
      output.writeObject("tree") { tree.write(into: &$0) }
    }
  }
}

extension InspectionNode {
  fileprivate func write(into output: inout JSONObjectWriter) {
    output.write("name", .string(name))
    switch value {
    case .text(let text)?: output.write("value", .string(text))
    case .bytes(let bytes)?: output.write("value", .string(Hex.encode(bytes)))
    case .identifier(let bytes)?: output.write("value", .base64URL(bytes))
    case nil: break
    }
    if let note { output.write("note", .string(note)) }
    if let span {
      output.write("offset", .integer(span.lowerBound))
      output.write("length", .integer(span.count))
    }
    if !problems.isEmpty {
      output.writeArray("problems") { list in
        for problem in problems { list.writeObject { problem.write(into: &$0) } }
      }
    }
    if !remarks.isEmpty {
      output.writeArray("remarks") { list in
        for remark in remarks { list.write(.string(remark)) }
      }
    }
    if !children.isEmpty {
      output.writeArray("children") { list in
        for child in children { list.writeObject { child.write(into: &$0) } }
      }
    }
  }
}

extension InspectionProblem {
  fileprivate func write(into output: inout JSONObjectWriter) {
    output.write("code", .string(code))
    if let offset { output.write("offset", .integer(offset)) }
    if let message { output.write("message", .string(message)) }
  }
}
