// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension Shape {
  /// Reads a message. Unknown members are ignored, and `null` counts as a missing member.
  ///
  /// A constant that is a string stands for any value. Any other constant must be equal in the message, unless it is
  /// missing.
  ///
  /// - Throws: `message.not-object`, `message.member-missing` or `message.member-invalid` with the path of the member.
  package func read(_ message: JSONValue) throws(ProfileError) -> ShapeValues {
    var values = ShapeValues()
    try root.read(message, at: "", into: &values)
    return values
  }

  /// Reads query parameters. `lookUp` returns the value of a parameter.
  ///
  /// - Throws: `message.member-missing` or `message.member-invalid` with the name of the parameter.
  package func readParameters(_ lookUp: (String) -> String?) throws(ProfileError) -> ShapeValues {
    var values = ShapeValues()
    guard case .object(let members) = root.unnamed else { return values }
    for member in members {
      guard let name = member.name else { continue }
      guard let text = lookUp(name) else {
        if member.isOptional || member.node.variables.isEmpty { continue }
        throw ProfileError(.messageMemberMissing, at: name)
      }
      switch member.node.unnamed {
      case .variable(let variable):
        guard let value = variable.type.value(of: text) else { throw ProfileError(.messageMemberInvalid, at: name) }
        values.add(variable, value)
      case .table(let variable, let rows):
        guard let value = rows.value(for: text, of: variable) else {
          throw ProfileError(.messageMemberInvalid, at: name)
        }
        values.add(variable, value)
      default: break
      }
    }
    return values
  }
}

extension [Shape.Row] {
  /// Returns the value of a variable for a constant in JSON.
  fileprivate func value(for constant: String, of variable: ShapeVariable) -> ShapeValue? {
    first { $0.value != nil && $0.constant.text == constant }?.value.flatMap { variable.type.value(of: $0) }
  }
}

extension ShapeType {
  /// Returns the value of a text, or nil if the text is malformed or the type has several parts.
  fileprivate func value(of text: String) -> ShapeValue? {
    switch self {
    case .text(let limit): text.utf8.count <= limit ? .text(text) : nil
    case .bytes: (try? Base64URL.decode(text)).map { .bytes($0[...]) }
    case .integer: Int64(text).map { .integer($0) }
    case .boolean: Bool(text).map { .boolean($0) }
    case .time: (try? UnixTime(rfc3339: text)).map { .time($0) }
    case .texts, .flags, .object, .list: nil
    }
  }

  // 64 strings of 256 bytes  [an account has 16 roles]
  private static let maximumTextCount = 64
  private static let maximumTextLength = 256

  // The years 0 to 9999 [the range of RFC 3339; differences of later times could overflow]
  private static let times: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  fileprivate func read(_ json: JSONValue, at path: String) throws(ProfileError) -> ShapeValue {
    do throws(WireError) {
      switch self {
      case .text(let limit):
        let text = try json.string
        guard text.utf8.count <= limit else { throw ProfileError.Marker.tooLong(json.offset) }
        return .text(text)
      case .bytes: return .bytes(try json.base64URL[...])
      case .integer: return .integer(try json.int64)
      case .boolean: return .boolean(try json.bool)
      case .time:
        if json.kind == .number {
          let seconds = min(max(try json.int64, Self.times.lowerBound), Self.times.upperBound)
          return .time(UnixTime(secondsSince1970: seconds))
        }
        return .time(try UnixTime(rfc3339: try json.string))
      case .texts, .flags, .object, .list: break
      }
    } catch {
      throw ProfileError(.messageMemberInvalid, at: path, cause: error)
    }
    return try readParts(json, at: path)
  }

  private func readParts(_ json: JSONValue, at path: String) throws(ProfileError) -> ShapeValue {
    switch self {
    case .texts:
      guard let elements = try? json.array else { throw ProfileError(.messageMemberInvalid, at: path) }
      var texts: [String] = []
      for (index, element) in elements.enumerated() {
        guard index < Self.maximumTextCount, let text = try? element.string,
          text.utf8.count <= Self.maximumTextLength
        else { throw ProfileError(.messageMemberInvalid, at: "\(path)[\(index)]") }
        texts.append(text)
      }
      return .texts(texts)
    case .flags: return try Self.flags(of: json, at: path)
    case .object:
      guard json.kind == .object else { throw ProfileError(.messageNotObject, at: path) }
      return .object(json)
    case .text, .bytes, .integer, .boolean, .time, .list: throw ProfileError(.messageMemberInvalid, at: path)
    }
  }

  /// Reads a Boolean for each member but those with these names.
  fileprivate static func flags(
    of json: JSONValue, at path: String, besides names: [String] = []
  ) throws(ProfileError) -> ShapeValue {
    guard let members = try? json.members else { throw ProfileError(.messageNotObject, at: path) }
    var flags: [String: Bool] = [:]
    for member in members where !names.contains(member.name) {
      guard let flag = try? member.value.bool else {
        throw ProfileError(.messageMemberInvalid, at: Shape.Node.path(path, member.name))
      }
      flags[member.name] = flag
    }
    return .flags(flags)
  }
}

extension ProfileError {
  /// The error that the decoder reports for a text beyond its limit.
  fileprivate enum Marker {
    static func tooLong(_ offset: Int) -> WireError { WireError(.jsonTooLarge, at: offset) }
  }
}

extension Shape.Node {
  fileprivate static func path(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  fileprivate func read(
    _ json: JSONValue, at path: String, into values: inout ShapeValues
  ) throws(ProfileError) {
    switch self {
    case .constant(let constant):
      if case .text = constant { return }
      guard String(decoding: json.encoded, as: UTF8.self) == constant.text else {
        throw ProfileError(.messageMemberInvalid, at: path)
      }
    case .variable(let variable): values.add(variable, try variable.type.read(json, at: path))
    case .flag(let name):
      guard let flag = try? json.bool else { throw ProfileError(.messageMemberInvalid, at: path) }
      var flags = values.flags(.preferences) ?? [:]
      flags[name] = flag
      values[.preferences] = .flags(flags)
    case .kept(let name): values.kept[name] = .kept(json)
    case .encoded(let node):
      guard let text = try? json.utf8, let inner = try? JSON.parse(text, maximumSize: text.count) else {
        throw ProfileError(.messageMemberInvalid, at: path, "use a string of JSON")
      }
      try node.read(inner, at: path, into: &values)
    case .object(let members): try Self.read(members, json, at: path, into: &values)
    case .list(let variable, let node): values.add(variable, .list(try node.readElements(json, at: path)))
    case .table(let variable, let rows):
      let text = (try? json.string) ?? String(decoding: json.encoded, as: UTF8.self)
      guard let value = rows.value(for: text, of: variable) else {
        throw ProfileError(.messageMemberInvalid, at: path)
      }
      values.add(variable, value)
    case .alternatives(let nodes):
      guard let node = nodes.first(where: { $0.fits(json) }) ?? nodes.last else { return }
      try node.read(json, at: path, into: &values)
    case .named(_, let node): try node.read(json, at: path, into: &values)
    // Only a client writes parts, in requests.
    case .part: break
    }
  }

  private static func read(
    _ members: [Shape.Member], _ json: JSONValue, at path: String, into values: inout ShapeValues
  ) throws(ProfileError) {
    guard json.kind == .object else { throw ProfileError(.messageNotObject, at: path) }
    for member in members {
      guard let name = member.name else {
        if case .variable(let variable) = member.node.unnamed, variable.type == .flags {
          values.add(variable, try ShapeType.flags(of: json, at: path, besides: members.compactMap(\.name)))
        } else {
          try member.node.read(json, at: path, into: &values)
        }
        continue
      }
      let memberPath = Self.path(path, name)
      if let value = (try? json[name])?.unlessNull {
        try member.node.read(value, at: memberPath, into: &values)
      } else if !member.isOptional, !member.node.variables.isEmpty {
        throw ProfileError(.messageMemberMissing, at: memberPath)
      }
    }
  }

  private func readElements(_ json: JSONValue, at path: String) throws(ProfileError) -> [ShapeValues] {
    guard let elements = try? json.array else { throw ProfileError(.messageMemberInvalid, at: path) }
    var list: [ShapeValues] = []
    for (index, element) in elements.enumerated() {
      var values = ShapeValues()
      try read(element, at: "\(path)[\(index)]", into: &values)
      list.append(values)
    }
    return list
  }

  /// Whether a message looks like this alternative: it has the required members. Every authenticator response has an `id`.
  private func fits(_ json: JSONValue) -> Bool {
    switch self {
    case .object(let members):
      json.kind == .object
        && members.allSatisfy { (member) in
          guard let name = member.name else { return member.node.fits(json) }
          return member.isOptional || member.node.variables.isEmpty || (try? json[name])?.unlessNull != nil
        }
    case .variable(.credential): (try? json["id"]) != nil
    case .named(_, let node): node.fits(json)
    case .alternatives(let nodes): nodes.contains { $0.fits(json) }
    case .list: json.kind == .array
    case .constant, .variable, .flag, .table, .kept, .part: true
    case .encoded: json.kind == .string
    }
  }
}
