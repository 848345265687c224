// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A message with a form in JSON text, which encoders and decoders can carry that tell JSON's types apart.
public protocol JSONRepresentable: Codable {
  /// Parses JSON text in UTF-8.
  init(json: [UInt8]) throws(FormatError)

  /// The message as JSON text in UTF-8.
  var json: [UInt8] { get }
}

extension JSONRepresentable {
  /// Parses a part of a longer text. An error has its place in that text.
  package init(json: Bytes) throws(FormatError) {
    do throws(FormatError) {
      try self.init(json: [UInt8](json))
    } catch {
      throw error.moved(by: json.startIndex)
    }
  }

  /// Parses JSON text.
  ///
  /// - Throws: The errors of the initializer that takes bytes.
  public init(json text: String) throws(FormatError) {
    try self.init(json: [UInt8](text.utf8))
  }

  /// The message as JSON text.
  public var jsonText: String { String(decoding: json, as: UTF8.self) }
}

extension JSONRepresentable {
  /// Decodes the value of ``init(json:)`` from any decoder that tells JSON's types apart.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    let members = try [String: ExtensionValue](from: decoder)
    do throws(FormatError) {
      try self.init(json: JSON.writeObject { object in ExtensionValue.write(members, into: &object) })
    } catch {
      // The caller has no text that an offset could refer to.
      let error = error.moved(by: -error.offset)
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    try ExtensionValue(JSON.parse(json, maximumSize: .max)).encode(to: encoder)
  }
}

extension Decoder {
  /// Decodes a string and parses it with `read`. Throws `DecodingError.dataCorrupted` with the cause as the underlying
  /// error.
  func readText<Value, Failure: Error>(_ read: (String) throws(Failure) -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}
