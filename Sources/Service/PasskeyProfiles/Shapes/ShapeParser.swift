// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Parses the shapes of one profile.
///
/// Limits: 16 levels of objects, lists and named shapes [messages have four; a shape that contains itself is infinite].
struct ShapeParser {
  /// The named shapes of the profile.
  let named: ProfileLayers

  /// The names of the profile's computed values.
  var computed: Set<String> = []

  private static let maximumDepth = 16

  /// The variables that may appear in a shape.
  struct Allowed {
    var variables: Set<ShapeVariable>
    var kept: Set<KeptName.Kind> = []
  }

  /// Parses a shape. `allowed` holds the variables that may appear in it, `kept` the kinds of kept values.
  func shape(
    _ json: JSONValue, at path: String, _ allowed: [ShapeVariable], kept: Set<KeptName.Kind> = []
  ) throws(ProfileError) -> Shape {
    Shape(try node(json, at: path, Allowed(variables: Set(allowed), kept: kept), depth: 0))
  }

  private func node(
    _ json: JSONValue, at path: String, _ allowed: Allowed, depth: Int
  ) throws(ProfileError) -> Shape.Node {
    guard depth < Self.maximumDepth else {
      throw ProfileError(.memberInvalid, at: path, "the shape is nested too deeply")
    }
    switch json.kind {
    case .string: return try text(try json.profileText(path), at: path, allowed)
    case .object: return try object(json, at: path, allowed, depth)
    case .array: throw ProfileError(.memberInvalid, at: path, "write a list as {\"$each\": \"$list\", \"as\": …}")
    case .number, .bool, .null: return .constant(try constant(json, at: path))
    }
  }

  private func text(_ text: String, at path: String, _ allowed: Allowed) throws(ProfileError) -> Shape.Node {
    if text.hasPrefix("$$") { return .constant(.text(String(text.dropFirst()))) }
    guard text.hasPrefix("$") else { return .constant(.text(text)) }
    let flag = "$\(ShapeVariable.preferences.rawValue)."
    if text.hasPrefix(flag), text != flag {
      try requireAllowed(.preferences, at: path, allowed)
      return .flag(String(text.dropFirst(flag.count)))
    }
    if let kept = KeptName(text), allowed.kept.contains(kept.kind) {
      guard kept.kind == .ceremony || computed.contains(kept.name) else {
        throw ProfileError(.variableUnknown, at: path, "values.\(kept.name) is missing")
      }
      return .kept(kept)
    }
    let variable = try variable(text, at: path, allowed)
    if case .list = variable.type {
      throw ProfileError(.memberInvalid, at: path, "\(text) is a list: write {\"$each\": \"\(text)\", \"as\": …}")
    }
    return .variable(variable)
  }

  private func variable(
    _ text: String, at path: String, _ allowed: Allowed
  ) throws(ProfileError) -> ShapeVariable {
    guard text.hasPrefix("$"), let variable = ShapeVariable(rawValue: String(text.dropFirst())) else {
      throw ProfileError(.variableUnknown, at: path, "\(text) is not a variable; \(Self.list(allowed))")
    }
    try requireAllowed(variable, at: path, allowed)
    return variable
  }

  private func requireAllowed(
    _ variable: ShapeVariable, at path: String, _ allowed: Allowed
  ) throws(ProfileError) {
    guard !allowed.variables.contains(variable) else { return }
    throw ProfileError(
      .variableUnknown, at: path, "$\(variable.rawValue) has no value here; \(Self.list(allowed))")
  }

  private static func list(_ allowed: Allowed) -> String {
    let own = allowed.variables.map { "$\($0.rawValue)" }.sorted()
    let names = (own + allowed.kept.map { "$\($0.rawValue).NAME" }.sorted()).joined(separator: ", ")
    return names.isEmpty ? "no variable has" : "available: \(names)"
  }

  private func object(
    _ json: JSONValue, at path: String, _ allowed: Allowed, _ depth: Int
  ) throws(ProfileError) -> Shape.Node {
    if let list = json.profileMember("$each") { return try self.list(json, list, at: path, allowed, depth) }
    if let variable = json.profileMember("$map") { return try table(json, variable, at: path, allowed) }
    if let name = json.profileMember("$shape") {
      let text = try name.profileText("\(path).$shape")
      guard json.profileNames == ["$shape"], let shape = named.member(text) else {
        throw ProfileError(.shapeUnknown, at: path, "shapes.\(text) is missing")
      }
      return .named(text, try node(shape, at: "shapes.\(text)", allowed, depth: depth + 1))
    }
    if let inner = json.profileMember(Self.encoded) {
      guard json.profileNames == [Self.encoded] else {
        throw ProfileError(.memberInvalid, at: path, "write JSON in a string as {\"$json\": shape}")
      }
      return .encoded(try node(inner, at: "\(path).\(Self.encoded)", allowed, depth: depth + 1))
    }
    if json.profileMember(Self.part) != nil {
      guard json.profileNames.sorted() == [Self.part, Self.whole], let steps = json.profileMember(Self.part),
        let whole = json.profileMember(Self.whole),
        try variable(try whole.profileText("\(path).of"), at: "\(path).of", allowed) == .credential
      else {
        throw ProfileError(
          .memberInvalid, at: path,
          "write a part of the response as {\"$member\": \"response.signature\", \"of\": \"$credential\"}")
      }
      let names = try steps.profileText("\(path).\(Self.part)").split(separator: ".", omittingEmptySubsequences: false)
      return .part(.credential, names.map { String($0) })
    }
    if let alternatives = json.profileMember("$any") {
      guard let elements = try? alternatives.array, json.profileNames == ["$any"] else {
        throw ProfileError(.memberInvalid, at: path, "write alternatives as {\"$any\": [shape, shape]}")
      }
      var nodes: [Shape.Node] = []
      for (index, element) in elements.enumerated() {
        nodes.append(try node(element, at: "\(path).$any[\(index)]", allowed, depth: depth + 1))
      }
      guard !nodes.isEmpty else { throw ProfileError(.memberInvalid, at: path, "$any needs at least one shape") }
      return .alternatives(nodes)
    }
    return .object(try members(json, at: path, allowed, depth))
  }

  private func members(
    _ json: JSONValue, at path: String, _ allowed: Allowed, _ depth: Int
  ) throws(ProfileError) -> [Shape.Member] {
    var members: [Shape.Member] = []
    for name in json.profileNames {
      guard let value = json.profileMember(name) else { continue }
      let memberPath = "\(path).\(name)"
      if name.hasPrefix("$") {
        throw ProfileError(.memberInvalid, at: memberPath, "expected one of $each, $map, $shape, $any, $json, $member")
      }
      let node = try node(value, at: memberPath, allowed, depth: depth + 1)
      if name == Self.spread {
        switch node.unnamed {
        case .object: break
        case .variable(let variable) where [.object, .flags].contains(variable.type): break
        default: throw ProfileError(.memberInvalid, at: memberPath, "only an object can be merged into another")
        }
        members.append(Shape.Member(name: nil, isOptional: false, node: node))
        continue
      }
      let isOptional = name.hasSuffix("?")
      let plain = isOptional ? String(name.dropLast()) : name
      guard !plain.isEmpty, !members.contains(where: { $0.name == plain }) else {
        throw ProfileError(.memberInvalid, at: memberPath, "the name is empty or repeated")
      }
      if !isOptional, case .variable(let variable) = node, variable.type == .time, variable.isOftenMissing {
        throw ProfileError(
          .memberInvalid, at: memberPath, "$\(variable.rawValue) may have no value: name the member \(plain)?")
      }
      members.append(Shape.Member(name: plain, isOptional: isOptional, node: node))
    }
    return members
  }

  /// The name of a member whose members belong to the surrounding object.
  static let spread = "..."

  /// The name of the member whose shape is JSON in a string.
  static let encoded = "$json"

  /// The names of the members that select a part of an object.
  private static let (part, whole) = ("$member", "of")

  /// The name of the row of a table for all other values.
  static let otherValues = "*"

  private func list(
    _ json: JSONValue, _ list: JSONValue, at path: String, _ allowed: Allowed, _ depth: Int
  ) throws(ProfileError) -> Shape.Node {
    guard json.profileNames.sorted() == ["$each", "as"], let element = json.profileMember("as") else {
      throw ProfileError(.memberInvalid, at: path, "write a list as {\"$each\": \"$list\", \"as\": …}")
    }
    let variable = try variable(try list.profileText("\(path).$each"), at: "\(path).$each", allowed)
    guard case .list(let elements) = variable.type else {
      throw ProfileError(.memberInvalid, at: "\(path).$each", "$\(variable.rawValue) is not a list")
    }
    return .list(variable, try node(element, at: "\(path).as", Allowed(variables: Set(elements)), depth: depth + 1))
  }

  private func table(
    _ json: JSONValue, _ variable: JSONValue, at path: String, _ allowed: Allowed
  ) throws(ProfileError) -> Shape.Node {
    guard json.profileNames.sorted() == ["$map", "to"], let rows = json.profileMember("to"), rows.kind == .object else {
      throw ProfileError(
        .memberInvalid, at: path, "write a table as {\"$map\": \"$variable\", \"to\": {\"value\": \"constant\"}}")
    }
    let variable = try self.variable(try variable.profileText("\(path).$map"), at: "\(path).$map", allowed)
    switch variable.type {
    case .text, .integer, .boolean: break
    case .bytes, .time, .texts, .flags, .object, .list:
      throw ProfileError(.memberInvalid, at: "\(path).$map", "$\(variable.rawValue) is not a string, number or Boolean")
    }
    var table: [Shape.Row] = []
    for name in rows.profileNames {
      guard let value = rows.profileMember(name) else { continue }
      let constant = try constant(value, at: "\(path).to.\(name)")
      table.append(Shape.Row(value: name == Self.otherValues ? nil : name, constant: constant))
    }
    guard !table.isEmpty else { throw ProfileError(.memberInvalid, at: "\(path).to", "the table is empty") }
    return .table(variable, table)
  }

  private func constant(_ json: JSONValue, at path: String) throws(ProfileError) -> Shape.Constant {
    switch json.kind {
    case .string: .text(try json.profileText(path))
    case .number: .number(String(decoding: json.encoded, as: UTF8.self))
    case .bool: .boolean((try? json.bool) ?? false)
    case .null: .null
    case .array, .object: throw ProfileError(.memberInvalid, at: path, "use a string, a number, a Boolean or null")
    }
  }
}

extension ShapeVariable {
  /// Whether the variable has no value in ordinary responses. An empty string in its place would not be a valid time.
  fileprivate var isOftenMissing: Bool {
    switch self {
    case .sessionRefreshExpiry, .credentialLastUsed, .credentialCloneSuspected, .credentialBackupEligibilityChanged,
      .sessionVerified, .sessionReplacementEnd:
      true
    default: false
    }
  }
}
