// SPDX-License-Identifier: Apache-2.0

/// The shape of a JSON message: JSON with variables in place of values. The same shape writes and reads messages.
///
/// ```json
/// {"verified": true, "user": {"id": "$account.id", "nickname?": "$account.username"}}
/// ```
package struct Shape: Hashable, Sendable {
  /// A value of the shape.
  package indirect enum Node: Hashable, Sendable {
    /// A constant.
    case constant(Constant)
    /// The value of a variable.
    case variable(ShapeVariable)
    /// The Boolean with this name among the notification preferences.
    case flag(String)
    /// A value that the client keeps.
    case kept(KeptName)
    /// A string with the JSON text of another shape.
    case encoded(Node)
    /// The member at a path of an object.
    case part(ShapeVariable, [String])
    /// An object.
    case object([Member])
    /// An array with an element for each element of a list.
    case list(ShapeVariable, Node)
    /// A constant for each value of a variable.
    case table(ShapeVariable, [Row])
    /// One of several values. A writer uses the first, a reader the first that fits.
    case alternatives([Node])
    /// A named shape of the profile.
    case named(String, Node)
  }

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    /// The name in JSON; nil if the members of `node` are members of this object themselves.
    package var name: String?
    /// Whether the member may be missing.
    package var isOptional: Bool
    /// The value.
    package var node: Node
  }

  /// A row of a table: the text of a variable's value, and the constant in JSON.
  package struct Row: Hashable, Sendable {
    /// The value of the variable as text, or nil for all other values.
    package var value: String?
    /// The constant in JSON.
    package var constant: Constant
  }

  /// A constant of a shape.
  package enum Constant: Hashable, Sendable {
    /// A string. A reader accepts any value in its place.
    case text(String)
    /// A number, in its digits.
    case number(String)
    /// A Boolean.
    case boolean(Bool)
    /// `null`.
    case null
  }

  /// The value at the top level.
  package let root: Node

  /// The kept values that the shape uses.
  package let keptNames: Set<KeptName>

  /// Creates a shape from its value at the top level.
  package init(_ root: Node) {
    self.root = root
    keptNames = root.keptNames
  }
}

extension Shape {
  /// The variables that the shape uses outside the elements of lists.
  package var variables: Set<ShapeVariable> { root.variables }

  /// The variables that the shape uses in the elements of lists.
  package var elementVariables: Set<ShapeVariable> { root.elementVariables }

  /// Whether the value at the top level is an object with members of its own.
  package var isObject: Bool { if case .object = root.unnamed { true } else { false } }

  /// Returns the name of the top-level member with one of these variables; nil if it is missing.
  package func memberName(of variables: Set<ShapeVariable>) -> String? {
    guard case .object(let members) = root.unnamed else { return nil }
    return members.first { !$0.node.variables.isDisjoint(with: variables) }?.name
  }
}

extension Shape.Node {
  var variables: Set<ShapeVariable> {
    switch self {
    case .constant, .kept: []
    case .variable(let variable), .list(let variable, _), .table(let variable, _), .part(let variable, _): [variable]
    case .flag: [.preferences]
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.node.variables) }
    case .alternatives(let nodes): nodes.reduce(into: []) { $0.formUnion($1.variables) }
    case .encoded(let node), .named(_, let node): node.variables
    }
  }

  var elementVariables: Set<ShapeVariable> {
    switch self {
    case .constant, .kept, .variable, .table, .flag, .part: []
    case .list(_, let element): element.variables
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.node.elementVariables) }
    case .alternatives(let nodes): nodes.reduce(into: []) { $0.formUnion($1.elementVariables) }
    case .encoded(let node), .named(_, let node): node.elementVariables
    }
  }
}
