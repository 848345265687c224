// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The schema of a JSON value, written as a schema of JSON Schema 2020-12 with a small set of keywords.
indirect enum JSONSchema: Hashable, Sendable {
  /// The format of a string.
  enum Format: String, Hashable, Sendable {
    case dateTime = "date-time"
    case email
    case base64URL = "base64url"
    case uri
    case uuid
  }

  /// A named member of an object.
  struct Member: Hashable, Sendable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool

    /// Returns a required member.
    static func required(_ name: String, _ schema: JSONSchema) -> Member {
      Member(name: name, schema: schema, isRequired: true)
    }

    /// Returns an optional member.
    static func optional(_ name: String, _ schema: JSONSchema) -> Member {
      Member(name: name, schema: schema, isRequired: false)
    }
  }

  /// Any string.
  case string
  /// A string with a format.
  case text(Format)
  /// One of these strings.
  case enumeration([String])
  /// An integer.
  case integer
  /// A Boolean.
  case boolean
  /// The constant `true`.
  case constantTrue
  /// An array of any length.
  case array(JSONSchema)
  /// An object with these members.
  case object([Member])
  /// An object with arbitrary member names, and with these members.
  case dictionary(JSONSchema, besides: [Member] = [])
  /// Any one of these schemas.
  case anyOf([JSONSchema])
  /// All of these schemas.
  case allOf([JSONSchema])
  /// A reference to a named schema.
  case reference(String)
  /// Any JSON value.
  case any

  static let dateTime = JSONSchema.text(.dateTime)
  static let base64URL = JSONSchema.text(.base64URL)

  /// Returns a reference to a schema that is the same in all profiles.
  static func reference(_ name: NamedSchema) -> JSONSchema { .reference(name.rawValue) }
}

extension JSONSchema {
  /// Writes the schema.
  func write(to schema: inout JSONObjectWriter) {
    switch self {
    case .string: schema.write("type", "string")
    case .text(let format):
      schema.write("type", "string")
      schema.write("format", format.rawValue)
    case .enumeration(let texts):
      schema.write("type", "string")
      schema.writeArray("enum") { (list: inout JSONArrayWriter) in
        for text in texts { list.write(text) }
      }
    case .integer: schema.write("type", "integer")
    case .boolean: schema.write("type", "boolean")
    case .constantTrue:
      schema.write("type", "boolean")
      schema.write("const", true)
    case .array(let element):
      schema.write("type", "array")
      schema.writeObject("items", element.write)
    case .object(let members): Self.write(members, to: &schema)
    case .dictionary(let value, let members):
      if members.isEmpty { schema.write("type", "object") } else { Self.write(members, to: &schema) }
      schema.writeObject("additionalProperties", value.write)
    case .anyOf(let schemas): Self.write("anyOf", schemas, to: &schema)
    case .allOf(let schemas): Self.write("allOf", schemas, to: &schema)
    case .reference(let name): schema.write("$ref", "#/components/schemas/\(name)")
    case .any: break
    }
  }

  private static func write(_ keyword: String, _ schemas: [JSONSchema], to schema: inout JSONObjectWriter) {
    schema.writeArray(keyword) { (list: inout JSONArrayWriter) in
      for schema in schemas { list.writeObject(schema.write) }
    }
  }

  /// Writes the members. The schema allows further members, so that later versions can add some.
  private static func write(_ members: [Member], to schema: inout JSONObjectWriter) {
    schema.write("type", "object")
    schema.writeObject("properties") { (properties: inout JSONObjectWriter) in
      for member in members { properties.writeObject(member.name, member.schema.write) }
    }
    let required = members.filter(\.isRequired)
    guard !required.isEmpty else { return }
    schema.writeArray("required") { (list: inout JSONArrayWriter) in
      for member in required { list.write(member.name) }
    }
  }
}
