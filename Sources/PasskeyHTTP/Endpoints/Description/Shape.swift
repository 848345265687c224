// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The shape of a JSON value, written as a schema of JSON Schema 2020-12 with a small set of keywords.
indirect enum Shape: Hashable, Sendable {
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
    let shape: Shape
    let isRequired: Bool

    /// Returns a required member.
    static func always(_ name: String, _ shape: Shape) -> Member {
      Member(name: name, shape: shape, isRequired: true)
    }

    /// Returns an optional member.
    static func sometimes(_ name: String, _ shape: Shape) -> Member {
      Member(name: name, shape: shape, isRequired: false)
    }
  }

  /// Any string.
  case string
  /// A string with a format.
  case text(Format)
  /// One of these strings.
  case oneOf([String])
  /// An integer.
  case integer
  /// A Boolean.
  case boolean
  /// The constant `true`.
  case yes
  /// An array of any length.
  case array(Shape)
  /// An object with these members.
  case object([Member])
  /// An object with arbitrary member names.
  case named(Shape)
  /// Any one of these shapes.
  case either([Shape])
  /// A reference to a shared shape.
  case shared(SharedShape)
  /// Any JSON value.
  case anything

  static let dateTime = Shape.text(.dateTime)
  static let base64URL = Shape.text(.base64URL)
}

extension Shape {
  /// Writes the schema.
  func write(to schema: inout JSONObjectWriter) {
    switch self {
    case .string: schema.write("type", "string")
    case .text(let format):
      schema.write("type", "string")
      schema.write("format", .string(format.rawValue))
    case .oneOf(let texts):
      schema.write("type", "string")
      schema.writeArray("enum") { (list: inout JSONArrayWriter) in
        for text in texts { list.write(.string(text)) }
      }
    case .integer: schema.write("type", "integer")
    case .boolean: schema.write("type", "boolean")
    case .yes:
      schema.write("type", "boolean")
      schema.write("const", true)
    case .array(let element):
      schema.write("type", "array")
      schema.writeObject("items", element.write)
    case .object(let members): Self.write(members, to: &schema)
    case .named(let value):
      schema.write("type", "object")
      schema.writeObject("additionalProperties", value.write)
    case .either(let shapes):
      schema.writeArray("anyOf") { (list: inout JSONArrayWriter) in
        for shape in shapes { list.writeObject(shape.write) }
      }
    case .shared(let shared): schema.write("$ref", .string("#/components/schemas/\(shared.rawValue)"))
    case .anything: break
    }
  }

  /// Writes the members. The schema allows further members, so that later versions can add some.
  private static func write(_ members: [Member], to schema: inout JSONObjectWriter) {
    schema.write("type", "object")
    schema.writeObject("properties") { (properties: inout JSONObjectWriter) in
      for member in members { properties.writeObject(member.name, member.shape.write) }
    }
    let required = members.filter(\.isRequired)
    guard !required.isEmpty else { return }
    schema.writeArray("required") { (list: inout JSONArrayWriter) in
      for member in required { list.write(.string(member.name)) }
    }
  }
}
