// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The characters of a string, its escapes resolved.
  public var string: String {
    get throws(WireError) { String(decoding: try utf8, as: UTF8.self) }
  }

  /// The same as UTF-8: a slice of the text when there are no escapes.
  public var utf8: Bytes {
    get throws(WireError) {
      try demand(.string)
      return document.characters(node)
    }
  }

  /// The bytes for which a string stands in base64url, decoded straight from the text.
  public var base64URL: [UInt8] {
    get throws(WireError) { try decode(.url) }
  }

  /// The bytes for which a string stands in padded base64, decoded straight from the text.
  public var base64: [UInt8] {
    get throws(WireError) { try decode(.standard) }
  }

  /// The bytes that a string encodes in either base64, padded or not; see ``Base64/decodeLeniently(_:)-(Bytes)``.
  public var base64Leniently: [UInt8] {
    get throws(WireError) { try decode(.lenient) }
  }

  private func decode(_ form: Base64Form) throws(WireError) -> [UInt8] {
    let text = try utf8
    do {
      return try form.decode(text)
    } catch {
      // Where an escape was resolved (some peers write `\/`), an offset into the characters says nothing about the text.
      throw document.nodes[node].hasEscapes ? WireError(error.code, at: offset) : error
    }
  }
}
