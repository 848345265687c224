// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The inputs or outputs of client extensions (WebAuthn §9) by extension name. Unknown extensions are preserved.
///
/// Bytes are base64url strings, as in JSON. Outputs from a client are not signed.
package struct ClientExtensions: JSONRepresentable, Hashable, Sendable {
  /// The values by name.
  package var values: [String: ExtensionValue]

  /// Creates extensions from values by name.
  package init(_ values: [String: ExtensionValue] = [:]) {
    self.values = values
  }

  /// Whether there are no values.
  package var isEmpty: Bool { values.isEmpty }

  /// The value of the extension with this name.
  package subscript(name: String) -> ExtensionValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Parses a JSON object.
  ///
  /// - Throws: `options.malformed`.
  package init(json: [UInt8]) throws(FormatError) {
    do throws(WireError) {
      try self.init(try JSON.parse(json))
    } catch {
      throw FormatError(.optionsMalformed, error)
    }
  }

  /// The values as JSON text, sorted by name.
  package var json: [UInt8] {
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
  /// Creates extensions from a literal. A later entry replaces an earlier one of the same name.
  package init(dictionaryLiteral elements: (String, ExtensionValue)...) {
    values = Dictionary(elements) { _, later in later }
  }
}
