// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension Shape {
  /// The kept values that a message must have, with the path of their members.
  package var requiredKeptNames: [KeptName: String] {
    var names: [KeptName: String] = [:]
    root.collectRequired(at: [], into: &names)
    return names
  }

  /// Whether the shape has JSON in a string.
  package var hasEncodedJSON: Bool { root.contains { if case .encoded = $0 { true } else { false } } }

  /// Whether the shape has members of an object without the object.
  package var hasParts: Bool { root.contains { if case .part = $0 { true } else { false } } }
}

extension Shape.Node {
  var keptNames: Set<KeptName> {
    switch self {
    case .constant, .variable, .flag, .table, .part: []
    case .kept(let name): [name]
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.node.keptNames) }
    case .alternatives(let nodes): nodes.reduce(into: []) { $0.formUnion($1.keptNames) }
    case .list(_, let node), .encoded(let node), .named(_, let node): node.keptNames
    }
  }

  /// Whether the node is constant.
  var isConstant: Bool { variables.isEmpty && keptNames.isEmpty }

  /// Whether this node or one below it fits.
  fileprivate func contains(_ fits: (Shape.Node) -> Bool) -> Bool {
    if fits(self) { return true }
    return switch self {
    case .constant, .variable, .flag, .table, .kept, .part: false
    case .object(let members): members.contains { $0.node.contains(fits) }
    case .alternatives(let nodes): nodes.contains { $0.contains(fits) }
    case .list(_, let node), .encoded(let node), .named(_, let node): node.contains(fits)
    }
  }

  fileprivate func collectRequired(at path: [String], into names: inout [KeptName: String]) {
    switch self {
    case .kept(let name): names[name] = path.joined(separator: ".")
    case .object(let members):
      for member in members where !member.isOptional {
        member.node.collectRequired(at: path + (member.name.map { [$0] } ?? []), into: &names)
      }
    case .encoded(let node), .named(_, let node): node.collectRequired(at: path, into: &names)
    case .constant, .variable, .flag, .table, .part, .list, .alternatives: break
    }
  }
}

extension ShapeValue {
  /// A value of a message to send back: a string as its text, anything else as JSON.
  package static func kept(_ json: JSONValue) -> ShapeValue {
    (try? json.string).map { .text($0) } ?? .object(json)
  }

  /// The value in one text, for queries, forms and header fields: JSON for a value with parts.
  package var flatText: String? {
    if let text { return text }
    return switch self {
    case .object(let json): String(decoding: json.encoded, as: UTF8.self)
    case .encoded(let text): String(decoding: text, as: UTF8.self)
    default: nil
    }
  }
}
