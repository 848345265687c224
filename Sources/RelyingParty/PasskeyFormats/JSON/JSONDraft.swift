// SPDX-License-Identifier: Apache-2.0

/// A JSON value to be written. Its objects keep the order of their members, and can hold duplicates.
package indirect enum JSONDraft: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  /// A byte string, written in base64url.
  case bytes([UInt8])
  case array([JSONDraft])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONDraft

    package init(name: String, value: JSONDraft) {
      self.name = name
      self.value = value
    }
  }

  /// Returns an object with these members, in this order.
  package static func object(_ members: KeyValuePairs<String, JSONDraft>) -> Self {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  package func write(as name: String, into object: inout JSONObjectWriter) {
    switch self {
    case .array(let elements):
      object.writeArray(name) { (array) in for element in elements { element.write(into: &array) } }
    case .object(let members):
      object.writeObject(name) { (inside) in
        for member in members { member.value.write(as: member.name, into: &inside) }
      }
    default: object.write(name, scalar)
    }
  }

  package func write(into array: inout JSONArrayWriter) {
    switch self {
    case .array(let elements):
      array.writeArray { (inside) in for element in elements { element.write(into: &inside) } }
    case .object(let members):
      array.writeObject { (inside) in for member in members { member.value.write(as: member.name, into: &inside) } }
    default: array.write(scalar)
    }
  }

  private var scalar: JSONFragment {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    case .bytes(let value): .base64URL(value)
    case .null, .array, .object: .null
    }
  }
}

extension JSONDraft: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Creates a string.
  package init(stringLiteral text: String) {
    self = .string(text)
  }

  /// Creates a Boolean.
  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}
