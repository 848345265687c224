// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A JSON value: of an extension, or of a response of your own. Literals can be used as values.
///
/// Numbers are doubles, as in JavaScript.
public indirect enum ExtensionValue: Hashable, Sendable {
  /// Null.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([ExtensionValue])
  /// An object.
  case object([String: ExtensionValue])

  /// The Boolean, or nil for any other value.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The number, or nil for any other value.
  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The string, or nil for any other value.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The elements of the array, or nil for any other value.
  package var array: [ExtensionValue]? {
    if case .array(let array) = self { array } else { nil }
  }

  /// The member of the object, or nil if it is absent or the value is not an object.
  public subscript(name: String) -> ExtensionValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}

extension ExtensionValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates a number.
  public init(integerLiteral value: Int64) {
    self = .number(Double(value))
  }

  /// Creates a number.
  public init(floatLiteral value: Double) {
    self = .number(value)
  }

  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an array.
  public init(arrayLiteral elements: ExtensionValue...) {
    self = .array(elements)
  }

  /// Creates an object. A later member replaces an earlier one of the same name.
  public init(dictionaryLiteral elements: (String, ExtensionValue)...) {
    self = .object(Dictionary(elements) { _, later in later })
  }
}

extension ExtensionValue: Codable {
  /// Reads any value.
  ///
  /// - Throws: The decoder's errors.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      // Not every decoder reads an integer as a double.
      self = .number(Double(integer))
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let array = try? container.decode([ExtensionValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: ExtensionValue].self))
    }
  }

  /// Writes the value.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    // Not every format writes a whole double as an integer, as JSON does.
    case .number(let number):
      if let integer = Int64(exactly: number) { try container.encode(integer) } else { try container.encode(number) }
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}

// MARK: JSON text

extension ExtensionValue {
  package init(_ json: JSONValue) throws(WireError) {
    switch json.kind {
    case .null: self = .null
    case .bool: self = .bool(try json.bool)
    case .number: self = .number(try json.double)
    case .string: self = .string(try json.string)
    case .array:
      var elements: [ExtensionValue] = []
      for element in try json.array { elements.append(try ExtensionValue(element)) }
      self = .array(elements)
    case .object:
      var members: [String: ExtensionValue] = [:]
      for member in try json.members { members[member.name] = try ExtensionValue(member.value) }
      self = .object(members)
    }
  }

  /// The value as JSON text in UTF-8.
  package var json: [UInt8] {
    switch self {
    case .object(let members):
      JSON.writeObject { (object: inout JSONObjectWriter) in Self.write(members, into: &object) }
    case .array(let elements):
      JSON.writeArray { (array: inout JSONArrayWriter) in Self.write(elements, into: &array) }
    case .null, .bool, .number, .string: JSON.write(fragment)
    }
  }

  /// Writes the members sorted by name, so that equal values produce equal text.
  static func write(_ members: [String: ExtensionValue], into object: inout JSONObjectWriter) {
    for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      switch value {
      case .array(let elements): object.writeArray(name) { array in write(elements, into: &array) }
      case .object(let members): object.writeObject(name) { inside in write(members, into: &inside) }
      default: object.write(name, value.fragment)
      }
    }
  }

  private static func write(_ elements: [ExtensionValue], into array: inout JSONArrayWriter) {
    for value in elements {
      switch value {
      case .array(let elements): array.writeArray { inside in write(elements, into: &inside) }
      case .object(let members): array.writeObject { inside in write(members, into: &inside) }
      default: array.write(value.fragment)
      }
    }
  }

  /// The value as JSON; null for an array or an object.
  var fragment: JSONFragment {
    switch self {
    case .bool(let bool): .bool(bool)
    // Like JavaScript, writes null for NaN and infinity.
    case .number(let number): (try? .number(number)) ?? .null
    case .string(let string): .string(string)
    case .null, .array, .object: .null
    }
  }
}
