// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What extensions are given by a relying party, or give back by way of the client (WebAuthn §9): values by the names of
/// the extensions, kept whether they are known or not.
///
/// Bytes stand in them as JSON has them, in base64url. Nothing signs what a client says here.
public struct ClientExtensions: Hashable, Sendable {
  /// The values by name.
  public var values: [String: ExtensionValue]

  /// Takes values by name.
  public init(_ values: [String: ExtensionValue] = [:]) {
    self.values = values
  }

  /// Whether there are none.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of the extension with this name.
  public subscript(name: String) -> ExtensionValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Reads a JSON text that must be an object.
  public init(json: Bytes) throws(FormatError) {
    do throws(WireError) {
      try self.init(try JSON.parse(json))
    } catch {
      throw FormatError(.optionsMalformed, error)
    }
  }

  /// The values as JSON text, in the order of their names.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }

  init(_ json: JSONValue) throws(WireError) {
    guard case .object(let values) = try ExtensionValue(json) else {
      throw WireError(.jsonWrongType, at: json.offset)
    }
    self.values = values
  }

  func write(into object: inout JSONObjectWriter) {
    ExtensionValue.write(values, into: &object)
  }
}

extension ClientExtensions: ExpressibleByDictionaryLiteral {
  /// Values by name; of two with the same name the later one stays.
  public init(dictionaryLiteral elements: (String, ExtensionValue)...) {
    values = Dictionary(elements) { _, later in later }
  }
}

extension ClientExtensions: Codable {
  /// Reads an object.
  public init(from decoder: any Decoder) throws {
    values = try [String: ExtensionValue](from: decoder)
  }

  /// Writes an object.
  public func encode(to encoder: any Encoder) throws {
    try values.encode(to: encoder)
  }
}
