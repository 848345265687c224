// SPDX-License-Identifier: Apache-2.0

/// The header fields of a message in the sequence sent. Names are case-insensitive.
public struct EndpointHeaders: Sendable {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name in lowercase.
    public let name: String
    /// The value without surrounding white space.
    public let value: String
  }

  /// All fields in sequence.
  public private(set) var fields: [Field] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list of these fields.
  init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  /// The value of the field with this name; nil only if there is no such field.
  ///
  /// The values of a repeated field are joined with `", "`, as RFC 9110 §5.3 specifies. A repeated field therefore
  /// never reads as a missing one, and a repeated `Origin` or `Authorization` equals no single valid value. Use
  /// ``values(_:)`` for `Set-Cookie` and `Cookie`, whose values may contain commas.
  public subscript(name: String) -> String? {
    let wanted = Self.lowerCased(name)
    var found: String?
    for field in fields where field.name == wanted {
      found = found.map { "\($0), \(field.value)" } ?? field.value
    }
    return found
  }

  /// Returns the values of all fields with this name.
  public func values(_ name: String) -> [String] {
    let wanted = Self.lowerCased(name)
    var values: [String] = []
    for field in fields where field.name == wanted { values.append(field.value) }
    return values
  }

  /// Returns whether the message has a field with this name, once or repeated.
  public func has(_ name: String) -> Bool {
    let wanted = Self.lowerCased(name)
    return fields.contains { $0.name == wanted }
  }

  /// Appends a field. Ignores a field with an invalid name, or with a control character in its value, such as a line
  /// break.
  public mutating func add(_ name: String, _ value: String) {
    guard Self.isToken(name.utf8), Self.isValue(value.utf8) else { return }
    if fields.isEmpty { fields.reserveCapacity(Self.expectedCount) }
    fields.append(Field(name: Self.lowerCased(name), value: Self.trimmed(value)))
  }

  /// Appends a field as received.
  ///
  /// - Returns: Whether its name and value are valid. An invalid field is not appended.
  package mutating func add(received name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    guard Self.isToken(name), Self.isValue(value) else { return false }
    if fields.isEmpty { fields.reserveCapacity(Self.expectedCount) }
    let lowerCased = unsafe String(unsafeUninitializedCapacity: name.count) { (buffer) in
      for (index, byte) in name.enumerated() {
        unsafe buffer[index] = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
      }
      return name.count
    }
    fields.append(Field(name: lowerCased, value: QuotedList.trimmed(value)))
    return true
  }

  /// Appends fields that are already validated. If `ifMissing` is true, skips those whose name is present.
  mutating func add(_ others: EndpointHeaders, ifMissing: Bool = false) {
    for field in others.fields where !(ifMissing && fields.contains { $0.name == field.name }) { fields.append(field) }
  }

  /// Replaces all fields with this name by one field.
  public mutating func set(_ name: String, _ value: String) {
    remove(name)
    add(name, value)
  }

  /// Removes all fields with this name.
  public mutating func remove(_ name: String) {
    guard has(name) else { return }
    let unwanted = Self.lowerCased(name)
    fields.removeAll { $0.name == unwanted }
  }

  // A typical number of fields in requests and responses.
  private static let expectedCount = 16

  /// Returns the name in lowercase. Avoids a copy for names that are already in lowercase, as most are.
  private static func lowerCased(_ name: String) -> String {
    name.utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ? name.lowercased() : name
  }

  private static func trimmed(_ value: String) -> String {
    let isSpace = { (byte: UInt8?) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    return isSpace(value.utf8.first) || isSpace(value.utf8.last) ? QuotedList.trimmed(value.utf8) : value
  }

  /// Returns whether the bytes form a token (RFC 9110 §5.6.2).
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

  /// Returns whether a value has no control characters except tabs.
  static func isValue(_ value: some Collection<UInt8>) -> Bool {
    value.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }
}

extension EndpointHeaders {
  // 4,096 characters  [this server's tokens have 43; foreign tokens fit into the header limit]
  private static let maximumTokenLength = 4_096

  /// The token of `Authorization: Bearer …` (RFC 6750 §2.1); nil if the field is missing, repeated or malformed.
  public var bearerToken: String? {
    // A repeated field is ambiguous: a proxy in front may have checked another value.
    let values = values("authorization")
    guard values.count == 1, let value = values.first else { return nil }
    let scheme = "bearer "
    guard value.prefix(scheme.count).lowercased() == scheme else { return nil }
    let token = QuotedList.trimmed(value.utf8.dropFirst(scheme.utf8.count))
    let characters = token.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
    guard !characters.isEmpty, token.utf8.count <= Self.maximumTokenLength, characters.allSatisfy(Self.isTokenCharacter)
    else { return nil }
    return token
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      "-._~+/".utf8.contains(byte)
    }
  }
}

extension EndpointHeaders {
  /// Whether the request has a field that proxies send, from a trusted proxy or not, with any value.
  var containProxyField: Bool {
    fields.contains { Self.proxyFields.contains($0.name) || $0.name.hasPrefix("x-forwarded-") }
  }

  private static let proxyFields: Set = [
    "cf-connecting-ip", "client-ip", "forwarded", "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip",
    "x-original-forwarded-for", "x-real-ip",
  ]

  /// Whether `Host` is `localhost` or a loopback address, with or without a port.
  var nameThisMachine: Bool {
    guard let host = self["host"] else { return false }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"), Self.isPort(host[end...].dropFirst()) else { return false }
      return IPAddress(host[..<end].dropFirst())?.isLoopback == true
    }
    let name = host.prefix { $0 != ":" }
    guard Self.isPort(host[name.endIndex...]) else { return false }
    return name.lowercased() == "localhost" || IPAddress(name)?.isLoopback == true
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { 48...57 ~= $0 }
  }
}
