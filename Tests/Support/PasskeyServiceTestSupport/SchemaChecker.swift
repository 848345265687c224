// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyService

/// Validates values against named JSON schemas. It supports only the keywords that this project's schemas use, and is stricter than JSON Schema: it rejects members that a schema does not name, and schemas that
/// do not describe their members or elements.
public struct SchemaChecker {
  private let schemas: JSONValue
  private let reference: String
  private let note: (String) -> Void

  /// Creates a checker for named schemas, which `$ref` names after `reference`. It reports each visited member to `note` with the name of its schema, such as
  /// `Account.roles`, or with the name of the whole value.
  package init(
    schemas: JSONValue, reference: String = Self.openAPIReference, note: @escaping (String) -> Void = { _ in }
  ) {
    self.schemas = schemas
    self.reference = reference
    self.note = note
  }

  /// The beginning of a reference in an OpenAPI description.
  public static let openAPIReference = "#/components/schemas/"

  /// Returns the faults of a value.
  package func faults(
    in value: JSONValue, by schema: JSONValue, at path: String = "$", as name: String = ""
  ) throws -> [String] {
    let words = try schema.members.map(\.name).filter { $0 != "description" }
    if words.isEmpty { return [] }
    if words == ["$ref"] {
      let target = try schema.require("$ref").string
      guard target.hasPrefix(reference), case let name = String(target.dropFirst(reference.count)),
        let found = try schemas[name]
      else { return ["\(path): nothing is called \(target)"] }
      return try faults(in: value, by: found, at: path, as: name)
    }
    if words == ["anyOf"] {
      let attempts = try schema.require("anyOf").array.map { try faults(in: value, by: $0, at: path, as: name) }
      return attempts.contains([]) ? [] : attempts.flatMap(\.self) + ["\(path): none of \(attempts.count)"]
    }
    if words == ["allOf"] {
      let parts = try schema.require("allOf").array.map { try resolved($0, as: name) }
      let named = try Set(parts.flatMap { try $0.schema["properties"]?.members.map(\.name) ?? [] })
      return try parts.flatMap { try objectFaults(value, $0.schema, path, $0.name, describedElsewhere: named) }
    }
    guard let type = try schema["type"]?.string else { return ["\(path): a schema without a type"] }
    let known: Set<String>
    let found: [String]
    switch type {
    case "string": (known, found) = (["format", "enum"], try stringFaults(value, schema, path))
    case "integer": (known, found) = ([], (try? value.int64) == nil ? ["\(path): no integer"] : [])
    case "number": (known, found) = ([], (try? value.double) == nil ? ["\(path): no number"] : [])
    case "null": (known, found) = ([], value.kind == .null ? [] : ["\(path): not null"])
    case "boolean": (known, found) = (["const"], try booleanFaults(value, schema, path))
    case "array": (known, found) = (["items"], try arrayFaults(value, schema, path, name))
    case "object":
      (known, found) = (
        ["properties", "required", "additionalProperties"], try objectFaults(value, schema, path, name)
      )
    default: (known, found) = ([], ["\(path): the type \(type) is not known"])
    }
    return found + words.filter { $0 != "type" && !known.contains($0) }.map { "\(path): the word \($0) is not known" }
  }

  /// Returns the definition behind a reference, and the name of the definition.
  private func resolved(_ schema: JSONValue, as name: String) throws -> (schema: JSONValue, name: String) {
    guard let target = try schema["$ref"]?.string else { return (schema, name) }
    let component = String(target.dropFirst(reference.count))
    return (try schemas.require(component), component)
  }

  private func stringFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) throws -> [String] {
    guard let text = try? value.string else { return ["\(path): no string"] }
    if let texts = try schema["enum"]?.array.map({ try $0.string }), !texts.contains(text) {
      return ["\(path): \(text) is not in \(texts)"]
    }
    guard let format = try schema["format"]?.string, !Self.has(text, format) else { return [] }
    return ["\(path): \(text) is no \(format)"]
  }

  private func booleanFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) throws -> [String] {
    guard let bool = try? value.bool else { return ["\(path): neither true nor false"] }
    guard let constant = try schema["const"]?.bool, constant != bool else { return [] }
    return ["\(path): \(bool)"]
  }

  private func arrayFaults(
    _ value: JSONValue, _ schema: JSONValue, _ path: String, _ name: String
  ) throws -> [String] {
    guard let elements = try? value.array else { return ["\(path): no array"] }
    guard let items = try schema["items"] else { return ["\(path): the elements are not described"] }
    return try elements.enumerated().flatMap { (index, element) in
      try faults(in: element, by: items, at: "\(path)[\(index)]", as: name + "[]")
    }
  }

  private func objectFaults(
    _ value: JSONValue, _ schema: JSONValue, _ path: String, _ name: String, describedElsewhere: Set<String> = []
  ) throws -> [String] {
    guard let members = try? Array(value.members) else { return ["\(path): no object"] }
    let (named, others) = (try schema["properties"], try schema["additionalProperties"])
    if named == nil, others == nil { return ["\(path): the members are not described"] }
    let required = try schema["required"]?.array.map { try $0.string } ?? []
    let missing = Set(required).subtracting(members.map(\.name))
    return try missing.sorted().map { "\(path).\($0): missing" }
      + members.flatMap { (member) in
        let place = "\(path).\(member.name)"
        guard let inner = try named?[member.name] else {
          if let others { return try faults(in: member.value, by: others, at: place) }
          return describedElsewhere.contains(member.name) ? [] : ["\(place): not described"]
        }
        note("\(name).\(member.name)")
        return try faults(in: member.value, by: inner, at: place, as: "\(name).\(member.name)")
      }
  }

  private static func has(_ text: String, _ format: String) -> Bool {
    switch format {
    case "date-time": (try? UnixTime(rfc3339: text))?.rfc3339 == text
    case "email": (try? EmailAddress(text)) != nil
    case "base64url": (try? Base64URL.decode(text)) != nil
    case "uuid": text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/) != nil
    case "uri": text.wholeMatch(of: /[a-z]+:[!-~]+/) != nil
    default: false
    }
  }
}
