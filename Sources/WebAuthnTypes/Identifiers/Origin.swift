// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// origin  = web / native
// web     = ("https" / "http") "://" host [":" port]      nothing behind it, in lower case (RFC 6454 §6.2)
// native  = scheme ":" 1*byte                             android:apk-key-hash:…, ios:bundle-id:…

/// The origin that asked a client for a ceremony: a web site by scheme, host and port, or a native application by an opaque string.
///
/// Web origins are equal when scheme, host and port are: `https://raxx.app:443` in a configuration is `https://raxx.app`.
/// Native origins are equal when their bytes are. The opaque origin `null` is refused: it identifies no site.
public struct Origin: Sendable {
  /// The origin as RFC 6454 writes it: a web origin is without the port that its scheme has anyway.
  public let text: String

  /// What kind of origin it is.
  public let kind: Kind

  /// The two kinds of origin.
  public enum Kind: Hashable, Sendable {
    /// A web site.
    case web(scheme: String, host: String, port: UInt16)
    /// A native application.
    case native
  }

  /// Reads an origin that is all of `text`.
  public init(_ text: String) throws(FormatError) {
    try self.init(utf8: [UInt8](text.utf8)[...])
  }

  /// Reads an origin that is all of `bytes`.
  public init(utf8 bytes: Bytes) throws(FormatError) {
    var parser = OriginParser(bytes)
    self = try parser.readOrigin()
  }

  init(text: String, kind: Kind) {
    self.text = text
    self.kind = kind
  }

  /// Whether `bytes` are this origin's serialization (RFC 6454 §6.2), byte for byte.
  ///
  /// Clients serialize origins, so that `https://raxx.app:443` in client data is not what a client writes, and not this
  /// origin.
  public func isSerialized(as bytes: Bytes) -> Bool {
    bytes.span.isEqual(to: text.utf8Span.span)
  }
}

extension Origin: Hashable {
  /// Whether both have the same scheme, host and port, or are the same native application.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension Origin: CustomStringConvertible {
  /// The origin as RFC 6454 writes it.
  public var description: String { text }
}

extension Origin: Codable {
  /// Reads a string.
  public init(from decoder: any Decoder) throws {
    self = try decoder.readText(Self.init)
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
