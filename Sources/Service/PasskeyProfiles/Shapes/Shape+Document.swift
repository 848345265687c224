// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension Shape {
  /// Writes the shape itself as a member of an object, in the notation of a profile document.
  ///
  /// Named shapes are written in place of their names, and of alternatives only the first, which writers use. Kept values
  /// are left out: a server does not need them.
  package func writeDefinition(_ name: String, to object: inout JSONObjectWriter) {
    root.writeDefinition(name, to: &object)
  }
}

extension Shape.Node {
  fileprivate func writeDefinition(_ name: String, to object: inout JSONObjectWriter) {
    switch self {
    case .constant(let constant): object.write(name, constant.definition)
    case .variable(let variable): object.write(name, .string(variable.definition))
    case .flag(let flag): object.write(name, .string("\(ShapeVariable.preferences.definition).\(flag)"))
    case .object(let members):
      object.writeObject(name) { (object) in
        for member in members {
          if case .kept = member.node.unnamed { continue }
          let written = member.name.map { $0 + (member.isOptional ? "?" : "") } ?? ShapeParser.spread
          member.node.writeDefinition(written, to: &object)
        }
      }
    case .list(let variable, let element):
      object.writeObject(name) { (object) in
        object.write("$each", .string(variable.definition))
        element.writeDefinition("as", to: &object)
      }
    case .table(let variable, let rows):
      object.writeObject(name) { (object) in
        object.write("$map", .string(variable.definition))
        object.writeObject("to") { (table) in
          for row in rows { table.write(row.value ?? ShapeParser.otherValues, row.constant.fragment) }
        }
      }
    // Only requests to other servers have parts.
    case .kept, .part: break
    case .encoded(let node): object.writeObject(name) { node.writeDefinition(ShapeParser.encoded, to: &$0) }
    case .alternatives(let nodes): nodes.first?.writeDefinition(name, to: &object)
    case .named(_, let node): node.writeDefinition(name, to: &object)
    }
  }
}

extension ShapeVariable {
  fileprivate var definition: String { "$\(rawValue)" }
}

extension Shape.Constant {
  /// The constant where a variable could stand: a text that begins with a dollar sign has another one before it.
  fileprivate var definition: JSONFragment {
    if case .text(let text) = self, text.hasPrefix("$") { .string("$\(text)") } else { fragment }
  }
}
