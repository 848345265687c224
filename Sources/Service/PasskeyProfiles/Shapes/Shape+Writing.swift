// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension Shape {
  /// Writes the JSON text of the shape with these values.
  ///
  /// An optional member without a value is left out; so is an optional object if none of its variables has a value. In
  /// place of any other missing value, the shape writes the neutral value of its type: an empty string, 0, `false`, or an
  /// empty array or object.
  package func write(_ values: ShapeValues) -> [UInt8] {
    // Options and exports are JSON text already.
    if case .variable(let variable) = root, case .encoded(let text)? = values[variable] { return text }
    switch root.piece(values) {
    case .fragment(let fragment): return JSON.write(fragment)
    case .object(let members): return JSON.writeObject { members.write(values, to: &$0) }
    case .array(let elements): return JSON.writeArray { for element in elements { element.write(to: &$0) } }
    }
  }

  /// Writes the members of the shape into an object that the caller has begun. A shape that is not an object writes
  /// nothing.
  package func writeMembers(_ values: ShapeValues, to object: inout JSONObjectWriter) {
    if case .object(let members) = root.piece(values) { members.write(values, to: &object) }
  }

  /// Returns the members of a shape as parameters of a query or a form. Members without a value are left out; those with
  /// parts are JSON texts.
  package func parameters(_ values: ShapeValues) -> [(name: String, value: String)] {
    guard case .object(let members) = root.piece(values) else { return [] }
    return members.compactMap { (member) in
      guard let name = member.name, member.node.hasValue(values) else { return nil }
      return (name, member.node.flatText(values))
    }
  }
}

extension ShapeValues {
  /// The member at a path of an object; nil without one.
  fileprivate func part(_ path: [String], of variable: ShapeVariable) -> ShapeValue? {
    switch self[variable] {
    case .object(let json): ComputedValue.member(path, of: json)
    case .encoded(let text):
      (try? JSON.parse(text[...], maximumSize: text.count)).flatMap { ComputedValue.member(path, of: $0) }
    default: nil
    }
  }
}

extension ShapeValue {
  /// The value as text, for tables and queries; nil if it has several parts.
  var text: String? {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): Base64URL.encode(bytes)
    case .integer(let integer): String(integer)
    case .boolean(let boolean): boolean ? "true" : "false"
    case .time(let time): time.description
    case .texts, .flags, .object, .encoded, .list: nil
    }
  }
}

extension Shape.Constant {
  /// The constant as text.
  var text: String {
    switch self {
    case .text(let text), .number(let text): text
    case .boolean(let boolean): boolean ? "true" : "false"
    case .null: "null"
    }
  }

  var fragment: JSONFragment {
    switch self {
    case .text(let text): .string(text)
    case .number(let digits): (try? JSON.parse(digits)).map { .verbatim($0) } ?? .null
    case .boolean(let boolean): .bool(boolean)
    case .null: .null
    }
  }
}

extension [Shape.Row] {
  func constant(for value: ShapeValue) -> Shape.Constant? {
    guard let text = value.text else { return nil }
    return (first { $0.value == text } ?? first { $0.value == nil })?.constant
  }
}

/// The output of a node: a value, an object, or an array.
private enum Piece {
  case fragment(JSONFragment)
  case object([Shape.Member])
  case array([Element])
}

/// An element of an array: a node with its values, or a string.
private enum Element {
  case node(Shape.Node, ShapeValues)
  case text(String)

  func write(to array: inout JSONArrayWriter) {
    switch self {
    case .text(let text): array.write(text)
    case .node(let node, let values):
      switch node.piece(values) {
      case .fragment(let fragment): array.write(fragment)
      case .object(let members): array.writeObject { members.write(values, to: &$0) }
      case .array(let elements): array.writeArray { for element in elements { element.write(to: &$0) } }
      }
    }
  }
}

extension Shape.Node {
  /// The node without the name of a named shape.
  var unnamed: Shape.Node {
    if case .named(_, let node) = self { node.unnamed } else { self }
  }

  /// The value in one text: JSON for a value with parts.
  fileprivate func flatText(_ values: ShapeValues) -> String {
    switch self {
    case .variable(let variable): if let text = values[variable]?.flatText { return text }
    case .kept(let name): return values.kept[name]?.flatText ?? ""
    case .constant(let constant): return constant.text
    case .part(let variable, let path): return values.part(path, of: variable)?.flatText ?? ""
    case .table(let variable, let rows):
      return values[variable].flatMap { rows.constant(for: $0)?.text ?? $0.text } ?? ""
    case .named(_, let node): return node.flatText(values)
    case .encoded(let node): return String(decoding: Shape(node).write(values), as: UTF8.self)
    case .flag, .object, .list, .alternatives: break
    }
    return String(decoding: Shape(self).write(values), as: UTF8.self)
  }

  fileprivate func piece(_ values: ShapeValues) -> Piece {
    switch self {
    case .constant(let constant): return .fragment(constant.fragment)
    case .variable(let variable): return Self.piece(of: values[variable] ?? variable.type.neutral)
    case .flag(let name): return .fragment(.bool(values.flags(.preferences)?[name] ?? false))
    case .kept(let name):
      if case .object(let json)? = values.kept[name] { return .fragment(.verbatim(json)) }
      return Self.piece(of: values.kept[name] ?? .text(""))
    case .part(let variable, let path):
      if case .object(let json)? = values.part(path, of: variable) { return .fragment(.verbatim(json)) }
      return Self.piece(of: values.part(path, of: variable) ?? .text(""))
    case .encoded(let node):
      return .fragment(.string(String(decoding: Shape(node).write(values), as: UTF8.self)))
    case .object(let members): return .object(members)
    case .list(let variable, let node): return .array((values.list(variable) ?? []).map { .node(node, $0) })
    case .table(let variable, let rows):
      return .fragment((rows.constant(for: values[variable] ?? variable.type.neutral) ?? .null).fragment)
    case .alternatives(let nodes): return nodes.first?.piece(values) ?? .fragment(.null)
    case .named(_, let node): return node.piece(values)
    }
  }

  private static func piece(of value: ShapeValue) -> Piece {
    switch value {
    case .text(let text): .fragment(.string(text))
    case .bytes(let bytes): .fragment(.base64URL(bytes))
    case .integer(let integer): .fragment(.integer(integer))
    case .boolean(let boolean): .fragment(.bool(boolean))
    case .time(let time): .fragment(.string(time.description))
    case .texts(let texts): .array(texts.map { .text($0) })
    case .flags(let flags):
      .object(
        flags.keys.sorted().map { Shape.Member(name: $0, isOptional: false, node: .flag($0)) })
    case .object(let object): .fragment(.value(object))
    case .encoded(let text): .fragment(.written(text))
    case .list: .array([])
    }
  }

  /// Whether an optional member with this node is written.
  fileprivate func hasValue(_ values: ShapeValues) -> Bool {
    switch self {
    case .constant: true
    case .variable(let variable), .list(let variable, _), .table(let variable, _): values[variable] != nil
    case .flag(let name): values.flags(.preferences)?[name] != nil
    case .kept(let name): values.kept[name] != nil
    case .part(let variable, let path): values.part(path, of: variable) != nil
    case .object(let members): isConstant || members.contains { !$0.node.isConstant && $0.node.hasValue(values) }
    case .alternatives(let nodes): nodes.first?.hasValue(values) ?? false
    case .encoded(let node), .named(_, let node): node.hasValue(values)
    }
  }
}

extension [Shape.Member] {
  fileprivate func write(_ values: ShapeValues, to object: inout JSONObjectWriter) {
    for member in self where !member.isOptional || member.node.hasValue(values) {
      guard let name = member.name else {
        if case .variable(let variable) = member.node.unnamed, case .encoded(let text)? = values[variable] {
          object.writeMembers(ofWritten: text)
        } else {
          member.node.piece(values).writeMembers(values, to: &object)
        }
        continue
      }
      let piece = member.node.piece(values)
      switch piece {
      case .fragment(let fragment): object.write(name, fragment)
      case .object(let members): object.writeObject(name) { members.write(values, to: &$0) }
      case .array(let elements): object.writeArray(name) { for element in elements { element.write(to: &$0) } }
      }
    }
  }
}

extension Piece {
  /// Writes the members of an object into another object.
  func writeMembers(_ values: ShapeValues, to object: inout JSONObjectWriter) {
    switch self {
    case .object(let members): members.write(values, to: &object)
    case .fragment(let fragment):
      guard let members = try? JSON.parse(JSON.write(fragment)).members else { return }
      for member in members { object.write(member.name, .verbatim(member.value)) }
    case .array: break
    }
  }
}

extension ShapeType {
  /// The value that replaces a missing one.
  fileprivate var neutral: ShapeValue {
    switch self {
    case .text, .time, .bytes: .text("")
    case .integer: .integer(0)
    case .boolean: .boolean(false)
    case .texts: .texts([])
    case .flags: .flags([:])
    case .object: .flags([:])
    case .list: .list([])
    }
  }
}
