// SPDX-License-Identifier: Apache-2.0

/// Unpadded base64url (RFC 4648 §5), which the JSON of WebAuthn and JOSE use for bytes.
///
/// Decoding is strict: it rejects padding, `+`, `/`, white space and non-zero trailing bits, so that each byte sequence
/// has one encoding. For other input use ``Base64/decodeLeniently(_:)-(Bytes)``.
package enum Base64URL {
  /// Decodes ASCII text.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an index into `text`.
  package static func decode(_ text: some ByteSource) throws(WireError) -> [UInt8] {
    try Base64Form.url.decode(text.slice)
  }

  /// Decodes a string.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an offset in UTF-8
  ///   bytes.
  package static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.url.decode(text)
  }

  /// Decodes `text` and appends the bytes to `output`. If it returns `false`, `text` is invalid and the bytes appended
  /// to `output` are meaningless.
  package static func decode(_ text: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    Base64Form.url.decodeValid(text, onto: &output)
  }

  /// Encodes bytes.
  package static func encode(_ bytes: some ByteSource) -> String {
    Base64Form.url.encode(bytes.slice)
  }
}

/// Padded base64 (RFC 4648 §4), the encoding of PEM and of certificates in JOSE (`x5c`).
package enum Base64 {
  /// Decodes ASCII text: the standard alphabet, padded, without white space.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an index into `text`.
  package static func decode(_ text: some ByteSource) throws(WireError) -> [UInt8] {
    try Base64Form.standard.decode(text.slice)
  }

  /// Decodes a string.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an offset in UTF-8
  ///   bytes.
  package static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.standard.decode(text)
  }

  /// Decodes text that a person pasted or a careless peer sent.
  ///
  /// Accepts both alphabets, even mixed, and ignores spaces, tabs and line breaks. Padding is optional, but must be
  /// correct if present. Non-zero trailing bits are rejected, because they indicate truncated text.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an index into `text`.
  package static func decodeLeniently(_ text: some ByteSource) throws(WireError) -> [UInt8] {
    try Base64Form.lenient.decode(text.slice)
  }

  /// Decodes a string that a person pasted or a careless peer sent.
  ///
  /// - Throws: `base64.invalid-character`, `base64.invalid-length` or `base64.stray-bits`, with an offset in UTF-8
  ///   bytes.
  package static func decodeLeniently(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.lenient.decode(text)
  }

  /// Encodes bytes, padded.
  package static func encode(_ bytes: some ByteSource) -> String {
    Base64Form.standard.encode(bytes.slice)
  }
}
