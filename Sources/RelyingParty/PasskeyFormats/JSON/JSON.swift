// SPDX-License-Identifier: Apache-2.0

/// Reads and writes JSON text (RFC 8259). Reading copies nothing; writing builds no tree.
///
/// Limits, with their reasons:
/// - 64 KiB of text by default [WebAuthn messages take a few KiB; a caller that expects more, such as a metadata BLOB,
///   sets a limit];
/// - 2 GiB − 1 at most [positions have 32 bits];
/// - 32 levels of arrays and objects [metadata statements have 8; parsing is recursive];
/// - no duplicate names in an object [two parsers that choose different values can be used to bypass a check];
/// - numbers of any length [they are converted on access];
/// - at most 9 bytes of memory for each byte of text [12 bytes for each value or name, of which each has at least one
///   character and a separator].
package enum JSON {
  /// The default maximum text size in bytes.
  package static let maximumMessageSize = 65_536

  /// The maximum nesting depth of arrays and objects.
  package static let maximumDepth = 32

  static let maximumSize = Int(Int32.max)

  /// Parses one value, optionally surrounded by white space.
  ///
  /// Checks the whole text once: grammar, UTF-8, escapes, surrogates and the limits above. A byte order mark is
  /// rejected. To accept one, remove it with ``withoutByteOrderMark(_:)-(Bytes)``.
  ///
  /// - Throws: `json.too-large` above `maximumSize` bytes, or another `json.…` code with the index of the first invalid byte.
  package static func parse(
    _ text: some ByteSource, maximumSize: Int = maximumMessageSize
  ) throws(WireError) -> JSONValue {
    let text = text.slice
    let limit = max(0, min(maximumSize, Self.maximumSize))
    guard text.count <= limit else { throw WireError(.jsonTooLarge, at: text.startIndex + limit) }
    do {
      let nodes = try JSONParser.parse(text.span)
      return JSONValue(document: JSONDocument(text: text, nodes: nodes), node: 0)
    } catch {
      throw WireError(error.code, at: text.startIndex + error.offset)
    }
  }

  /// Parses one value from a string. Offsets count UTF-8 bytes from 0.
  ///
  /// - Throws: `json.too-large` above `maximumSize` bytes, or another `json.…` code with the position of the first invalid byte.
  package static func parse(
    _ text: String, maximumSize: Int = maximumMessageSize
  ) throws(WireError) -> JSONValue {
    try parse(Bytes(text.utf8), maximumSize: maximumSize)
  }

  /// Returns `text` without a leading byte order mark.
  package static func withoutByteOrderMark(_ text: some ByteSource) -> Bytes {
    let text = text.slice
    return text.starts(with: [0xef, 0xbb, 0xbf]) ? text.dropFirst(3) : text
  }
}

extension JSON {
  /// The layout of written text.
  package enum Style: Sendable {
    /// No white space. For programs, hashes and signatures.
    case compact

    /// One line for each member and element, indented by two spaces. For people.
    case pretty
  }

  /// Writes an object whose members `body` writes, and returns the text.
  ///
  /// ```swift
  /// let text = JSON.writeObject { options in
  ///   options.write("challenge", .base64URL(challenge))
  ///   options.writeArray("pubKeyCredParams") { parameters in
  ///     parameters.writeObject { parameter in
  ///       parameter.write("type", "public-key")
  ///       parameter.write("alg", -7)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: The closure's error.
  package static func writeObject<Failure: Error>(
    _ style: Style = .compact, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(style: style, capacity: expectedByteCount)
    try output.writeObject(body)
    return output.bytes
  }

  /// Writes an array whose elements `body` writes, and returns the text.
  ///
  /// - Throws: The closure's error.
  package static func writeArray<Failure: Error>(
    _ style: Style = .compact, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(style: style, capacity: expectedByteCount)
    try output.writeArray(body)
    return output.bytes
  }

  /// Writes one value, such as a parsed value in another layout, and returns the text.
  package static func write(_ value: JSONFragment, _ style: Style = .compact) -> [UInt8] {
    var output = JSONOutput(style: style)
    output.write(value)
    return output.bytes
  }

  // Fits most messages, which avoids repeated growth.
  private static let expectedByteCount = 384
}
