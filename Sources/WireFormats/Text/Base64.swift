// SPDX-License-Identifier: Apache-2.0

/// Base64url without padding (RFC 4648 §5), in which WebAuthn's JSON and JOSE write bytes.
///
/// Strict: no padding, no `+` or `/`, no white space, and no bits that are left over after the last byte, so that one
/// run of bytes has one spelling. For what a peer writes otherwise see ``Base64/decodeLeniently(_:)-(Bytes)``.
public enum Base64URL {
  /// The bytes for which the ASCII characters of `text` stand.
  public static func decode(_ text: Bytes) throws(WireError) -> [UInt8] {
    try Base64Form.url.decode(text)
  }

  /// The bytes for which `text` stands; the offset of a fault counts UTF-8 bytes from 0.
  public static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.url.decode(text)
  }

  /// Puts the bytes for which `text` stands behind `output`, so that one array may take many of them. Where `text` stands
  /// for none it says so, and what has been put there is worth nothing.
  package static func decode(_ text: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    Base64Form.url.decodeSwiftly(text, onto: &output)
  }

  /// `bytes` as text.
  public static func encode(_ bytes: Bytes) -> String {
    Base64Form.url.encode(bytes)
  }

  /// `bytes` as text.
  public static func encode(_ bytes: [UInt8]) -> String {
    Base64Form.url.encode(bytes[...])
  }
}

/// Padded base64 (RFC 4648 §4), in which JOSE writes certificates (`x5c`) and PEM writes everything.
public enum Base64 {
  /// The bytes for which the ASCII characters of `text` stand: the standard alphabet, padded, in one piece.
  public static func decode(_ text: Bytes) throws(WireError) -> [UInt8] {
    try Base64Form.standard.decode(text)
  }

  /// The bytes for which `text` stands; the offset of a fault counts UTF-8 bytes from 0.
  public static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.standard.decode(text)
  }

  /// The bytes for which `text` stands, for data that a person pasted or a careless peer sent.
  ///
  /// Both alphabets are accepted, even mixed; spaces, tabs and line breaks are passed over; padding may be left out, but
  /// where there is some it must be right. Bits left over after the last byte are refused here too: they are what remains
  /// of a text that was cut.
  public static func decodeLeniently(_ text: Bytes) throws(WireError) -> [UInt8] {
    try Base64Form.lenient.decode(text)
  }

  /// The same for a string; the offset of a fault counts UTF-8 bytes from 0.
  public static func decodeLeniently(_ text: String) throws(WireError) -> [UInt8] {
    try Base64Form.lenient.decode(text)
  }

  /// `bytes` as text, padded.
  public static func encode(_ bytes: Bytes) -> String {
    Base64Form.standard.encode(bytes)
  }

  /// `bytes` as text, padded.
  public static func encode(_ bytes: [UInt8]) -> String {
    Base64Form.standard.encode(bytes[...])
  }
}
