// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A structure that is parsed from bytes.
package protocol ByteParsable {
  /// The error of malformed bytes.
  associatedtype ParsingError: Error

  /// Parses a structure that is all of `bytes`.
  init(parsing bytes: Bytes) throws(ParsingError)
}

extension ByteParsable {
  /// Parses a structure that is all of `bytes`, without copying them.
  package init(parsing bytes: [UInt8]) throws(ParsingError) {
    try self.init(parsing: bytes[...])
  }
}

/// A message with a form in JSON text.
public protocol JSONRepresentable {
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
