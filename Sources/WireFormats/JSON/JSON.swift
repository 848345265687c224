// SPDX-License-Identifier: Apache-2.0

/// JSON text (RFC 8259), read without copying and written without a tree.
///
/// Limits, with their reasons:
/// - 64 KiB of text, unless the caller says otherwise [a message of WebAuthn or of an endpoint takes a few KiB; whoever
///   reads something larger, such as a metadata BLOB, knows how large it may be];
/// - 2 GiB − 1 whatever the caller says [positions are kept in 32 bits];
/// - 32 arrays and objects inside one another [metadata statements nest 8 deep; reading one uses the stack];
/// - no name twice in an object [two readers that choose differently are a way around a check];
/// - numbers of any length [they stay text until asked for];
/// - memory: at most 9 bytes for one of text [12 bytes a value or name, and none is shorter than two characters with what
///   divides them].
public enum JSON {
  /// The longest text that is read when the caller names no limit.
  public static let maximumMessageSize = 65_536

  /// How many arrays and objects may stand inside one another.
  public static let maximumDepth = 32

  static let maximumSize = Int(Int32.max)

  /// Reads one value and demands that nothing but white space stands around it.
  ///
  /// The whole text is checked here, once: grammar, UTF-8, escapes, surrogates, the limits above. A leading byte order
  /// mark is not white space: whoever allows one takes it off with ``withoutByteOrderMark(_:)``.
  public static func parse(
    _ text: Bytes, maximumSize: Int = maximumMessageSize
  ) throws(WireError) -> JSONValue {
    let limit = max(0, min(maximumSize, Self.maximumSize))
    guard text.count <= limit else { throw WireError(.jsonTooLarge, at: text.startIndex + limit) }
    do {
      let nodes = try JSONParser.parse(text.span)
      return JSONValue(document: JSONDocument(text: text, nodes: nodes), node: 0)
    } catch {
      throw WireError(error.code, at: text.startIndex + error.offset)
    }
  }

  /// `text` behind its byte order mark, or all of it when there is none.
  public static func withoutByteOrderMark(_ text: Bytes) -> Bytes {
    text.starts(with: [0xef, 0xbb, 0xbf]) ? text.dropFirst(3) : text
  }
}

extension JSON {
  /// How a text is laid out.
  public enum Style: Sendable {
    /// Without any white space: for machines, and for whatever is hashed or signed.
    case compact

    /// A line for each member and element, indented by two spaces: for people.
    case pretty
  }

  /// The text of an object whose members `body` writes.
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
  public static func writeObject<Failure: Error>(
    _ style: Style = .compact, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(style: style, capacity: expectedByteCount)
    try output.writeObject(body)
    return output.bytes
  }

  /// The text of an array whose elements `body` writes.
  public static func writeArray<Failure: Error>(
    _ style: Style = .compact, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(style: style, capacity: expectedByteCount)
    try output.writeArray(body)
    return output.bytes
  }

  /// The text of one value, for instance of one that was read and is to be laid out anew.
  public static func write(_ value: JSONFragment, _ style: Style = .compact) -> [UInt8] {
    var output = JSONOutput(style: style)
    output.write(value)
    return output.bytes
  }

  // Most of what is written often is not longer, and grows less often than byte by byte.
  private static let expectedByteCount = 384
}
