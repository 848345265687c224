// SPDX-License-Identifier: Apache-2.0

/// The header fields of a message, in their order; names are the same in either case.
public struct HTTPHeaders: Sendable {
  /// One field.
  public struct Field: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String
    /// The value, without white space around it.
    public let value: String
  }

  /// All fields.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  /// These fields, in their order.
  init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  /// The value of this name: nil only if no field has the name.
  ///
  /// The values of a repeated field are joined with `", "`, as RFC 9110 §5.3 has a recipient combine them. So a repeated
  /// field never reads as an absent one, and a repeated `Origin` or `Authorization` equals no single valid value. Use
  /// ``values(_:)`` for `Set-Cookie` and `Cookie`, whose values may contain commas.
  public subscript(name: String) -> String? {
    let wanted = Self.lowerCased(name)
    var found: String?
    for field in fields where field.name == wanted {
      found = found.map { "\($0), \(field.value)" } ?? field.value
    }
    return found
  }

  /// The values of all fields of this name.
  public func values(_ name: String) -> [String] {
    let wanted = Self.lowerCased(name)
    var values: [String] = []
    for field in fields where field.name == wanted { values.append(field.value) }
    return values
  }

  /// Whether the message has a field of this name, once or repeated.
  public func has(_ name: String) -> Bool {
    let wanted = Self.lowerCased(name)
    return fields.contains { $0.name == wanted }
  }

  /// Adds a field behind the others. One that no message may have, because its name is no token or its value would end
  /// the line, is left out.
  public mutating func add(_ name: String, _ value: String) {
    guard Self.isToken(name.utf8), Self.isValue(value.utf8) else { return }
    if fields.isEmpty { fields.reserveCapacity(Self.expectedCount) }
    fields.append(Field(name: Self.lowerCased(name), value: Self.trimmed(value)))
  }

  /// Adds fields that were added to others before, behind these; with those of a name that there is already left out where
  /// it says so.
  mutating func add(_ others: HTTPHeaders, ifMissing: Bool = false) {
    for field in others.fields where !(ifMissing && fields.contains { $0.name == field.name }) { fields.append(field) }
  }

  /// Puts a field in the place of those of its name.
  public mutating func set(_ name: String, _ value: String) {
    remove(name)
    add(name, value)
  }

  /// Takes the fields of a name away.
  public mutating func remove(_ name: String) {
    guard has(name) else { return }
    let unwanted = Self.lowerCased(name)
    fields.removeAll { $0.name == unwanted }
  }

  // What browsers send, and what they are told.
  private static let expectedCount = 16

  /// Most names are in lower case already, and most values have no white space around them.
  private static func lowerCased(_ name: String) -> String {
    name.utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ? name.lowercased() : name
  }

  private static func trimmed(_ value: String) -> String {
    let isSpace = { (byte: UInt8?) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    return isSpace(value.utf8.first) || isSpace(value.utf8.last) ? QuotedList.trimmed(value.utf8) : value
  }

  /// Whether a name is one: letters, digits and a few signs (RFC 9110, §5.6.2).
  static func isToken(_ name: some Collection<UInt8>) -> Bool {
    !name.isEmpty
      && name.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        case UInt8(ascii: "-"): true
        default:
          "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether a value has no control characters but tabs.
  static func isValue(_ value: some Collection<UInt8>) -> Bool {
    value.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }
}
