// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What a value in a body is.
///
/// It is written as a schema of JSON Schema 2020-12, with as few of its words as do.
indirect enum Shape: Hashable, Sendable {
  /// What the characters of a string stand for.
  enum Format: String, Hashable, Sendable {
    case dateTime = "date-time"
    case email
    case base64URL = "base64url"
    case uri
    case uuid
  }

  /// A value with a name, in an object.
  struct Member: Hashable, Sendable {
    let name: String
    let shape: Shape
    let isRequired: Bool

    /// A member that is always there.
    static func always(_ name: String, _ shape: Shape) -> Member {
      Member(name: name, shape: shape, isRequired: true)
    }

    /// A member that may be missing.
    static func sometimes(_ name: String, _ shape: Shape) -> Member {
      Member(name: name, shape: shape, isRequired: false)
    }
  }

  /// Any string.
  case string
  /// A string of a form.
  case text(Format)
  /// One of these strings.
  case oneOf([String])
  /// A whole number.
  case integer
  /// True or false.
  case boolean
  /// True, and never anything else.
  case yes
  /// Any number of values.
  case array(Shape)
  /// An object with these members.
  case object([Member])
  /// An object whose members have whatever names.
  case named(Shape)
  /// One of these.
  case either([Shape])
  /// A shape that stands in more than one place.
  case shared(SharedShape)
  /// Whatever JSON has.
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

  /// More members may come with a later version: the schema does not say that there are no others.
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
