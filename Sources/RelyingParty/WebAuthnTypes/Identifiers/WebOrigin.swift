// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// origin  = web / native
// web     = ("https" / "http") "://" host [":" port]      nothing behind it, in lower case (RFC 6454 §6.2)
// native  = scheme ":" 1*byte                             android:apk-key-hash:…, ios:bundle-id:…

/// The origin of a ceremony's caller: a web origin (scheme, host and port) or a native application's opaque string.
///
/// Web origins are equal if scheme, host and port are equal, so `https://raxx.app:443` in a configuration equals
/// `https://raxx.app`. Native origins are equal if their bytes are. The opaque origin `null` is rejected, because it
/// identifies no site.
public struct WebOrigin: Sendable {
  /// The serialized origin (RFC 6454). A web origin omits its scheme's default port.
  public let text: String

  /// The kind of origin.
  package let kind: Kind

  /// The kinds of origin.
  package enum Kind: Hashable, Sendable {
    /// A web site.
    case web(scheme: String, host: String, port: UInt16)
    /// A native application.
    case native
  }

  /// Parses an origin that is all of `text`.
  ///
  /// - Throws: `origin.invalid`.
  public init(_ text: String) throws(FormatError) {
    try self.init(utf8: text.utf8)
  }

  /// Parses an origin that is all of `bytes`.
  ///
  /// - Throws: `origin.invalid`.
  package init(utf8 bytes: some ByteSource) throws(FormatError) {
    let bytes = bytes.slice
    var parser = OriginParser(bytes)
    self = try parser.readOrigin()
  }

  init(text: String, kind: Kind) {
    self.text = text
    self.kind = kind
  }

  /// Returns whether `bytes` are exactly this origin's serialization (RFC 6454 §6.2).
  ///
  /// Clients serialize origins, so client data with `https://raxx.app:443` do not match `https://raxx.app`.
  package func isSerialized(as bytes: some ByteSource) -> Bool {
    bytes.slice.span.isEqual(to: text.utf8Span.span)
  }
}

extension WebOrigin: Hashable {
  /// Whether both origins have the same scheme, host and port, or are the same native application.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension WebOrigin: CustomStringConvertible {
  /// The serialized origin.
  public var description: String { text }
}

extension WebOrigin: Codable {
  /// Reads a string.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    self = try decoder.readText(Self.init)
  }

  /// Writes a string.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
