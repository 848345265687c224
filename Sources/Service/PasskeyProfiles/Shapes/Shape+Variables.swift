// SPDX-License-Identifier: Apache-2.0

extension Shape {
  /// The shape with all members optional.
  ///
  /// A client reads replies with it, because another server may leave out members that the client does not need.
  package var withOptionalMembers: Shape { Shape(root.withOptionalMembers) }

  /// The names of the notification preferences that the shape writes one by one; empty if it writes all of them.
  package var preferenceNames: Set<String> { root.preferenceNames }

  /// Returns whether a message must have a value of the variable.
  package func requires(_ variable: ShapeVariable) -> Bool { root.requires(variable) }

  /// Returns the path of the member with a variable, such as `user.id`; nil if the shape has none.
  package func path(of variable: ShapeVariable) -> String? { root.path(of: variable)?.joined(separator: ".") }
}

extension Shape.Node {
  fileprivate var withOptionalMembers: Shape.Node {
    switch self {
    case .constant, .variable, .flag, .table, .kept, .part: self
    case .encoded(let node): .encoded(node.withOptionalMembers)
    case .object(let members):
      .object(
        members.map { Shape.Member(name: $0.name, isOptional: true, node: $0.node.withOptionalMembers) })
    case .list(let variable, let node): .list(variable, node.withOptionalMembers)
    case .alternatives(let nodes):
      // The members decide which alternative fits; the last one stands for messages that fit none.
      .alternatives(Array(nodes.dropLast()) + nodes.suffix(1).map(\.withOptionalMembers))
    case .named(let name, let node): .named(name, node.withOptionalMembers)
    }
  }

  fileprivate var preferenceNames: Set<String> {
    switch self {
    case .constant, .variable, .table, .kept, .part: []
    case .flag(let name): [name]
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.node.preferenceNames) }
    case .alternatives(let nodes): nodes.reduce(into: []) { $0.formUnion($1.preferenceNames) }
    case .list(_, let node), .encoded(let node), .named(_, let node): node.preferenceNames
    }
  }

  fileprivate func requires(_ variable: ShapeVariable) -> Bool {
    switch self {
    case .constant, .flag, .kept, .part: false
    case .variable(let other), .list(let other, _), .table(let other, _): other == variable
    case .object(let members): members.contains { !$0.isOptional && $0.node.requires(variable) }
    case .alternatives(let nodes): !nodes.isEmpty && nodes.allSatisfy { $0.requires(variable) }
    case .encoded(let node), .named(_, let node): node.requires(variable)
    }
  }

  fileprivate func path(of variable: ShapeVariable) -> [String]? {
    switch self {
    case .constant, .flag, .kept, .part: nil
    case .variable(let other), .list(let other, _), .table(let other, _): other == variable ? [] : nil
    case .object(let members):
      members.lazy.compactMap { (member) in
        member.node.path(of: variable).map { (path) in (member.name.map { [$0] } ?? []) + path }
      }.first
    case .alternatives(let nodes): nodes.lazy.compactMap { $0.path(of: variable) }.first
    case .encoded(let node), .named(_, let node): node.path(of: variable)
    }
  }
}
