// SPDX-License-Identifier: Apache-2.0

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
