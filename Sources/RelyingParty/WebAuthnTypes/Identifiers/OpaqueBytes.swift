// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Opaque bytes of a distinct type, so that a challenge cannot be passed as a credential ID. In JSON they are
/// base64url.
public protocol OpaqueBytes: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The bytes.
  var bytes: [UInt8] { get }

  /// Creates a value.
  ///
  /// - Throws: A ``FormatError`` if the length is not allowed.
  init(_ bytes: [UInt8]) throws(FormatError)
}

extension OpaqueBytes {
  /// Copies the bytes of a message. The error has their place in it.
  package init(_ bytes: Bytes) throws(FormatError) {
    do throws(FormatError) {
      try self.init([UInt8](bytes))
    } catch {
      throw FormatError(error.code, at: bytes.startIndex)
    }
  }

  /// Whether both values have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.bytes.span.isEqual(to: right.bytes.span)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
  }

  /// The bytes as base64url.
  public var description: String { Base64URL.encode(bytes) }

  /// Creates a value from its ``description``; nil if the text is not base64url or its length is not allowed.
  public init?(base64URL text: String) {
    guard let bytes = try? Base64URL.decode(text), let value = try? Self(bytes) else { return nil }
    self = value
  }

  /// Reads a base64url string.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    self = try decoder.readText { (text) in try Self(Base64URL.decode(text)) }
  }

  /// Writes a base64url string.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The random bytes that a ceremony's response must contain (WebAuthn §13.4.3): at least 16, so that they cannot be
/// guessed.
public struct Challenge: OpaqueBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The minimum length [§13.4.3].
  package static let minimumByteCount = 16

  /// Creates a challenge from 16 bytes or more.
  ///
  /// - Throws: `challenge.too-short`.
  public init(_ bytes: [UInt8]) throws(FormatError) {
    guard bytes.count >= Self.minimumByteCount else { throw FormatError(.challengeTooShort, at: 0) }
    self.bytes = bytes
  }

  /// Creates a challenge of any length: to verify recorded ceremonies of relying parties with short challenges, and for
  /// a client, which answers any challenge.
  ///
  /// A relying party never starts a ceremony with such a challenge: if it can be guessed, a response can be replayed.
  package init(allowingGuessableLength bytes: some Collection<UInt8>) {
    self.bytes = [UInt8](bytes)
  }
}

/// The identifier of a credential (WebAuthn §4): 1 to 1023 bytes.
public struct CredentialID: OpaqueBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The maximum length [§7.1, step 25].
  package static let maximumByteCount = 1023

  /// Creates an ID from 1 to 1023 bytes.
  ///
  /// - Throws: `credential-id.invalid-length`.
  public init(_ bytes: [UInt8]) throws(FormatError) {
    guard 1...Self.maximumByteCount ~= bytes.count else {
      throw FormatError(.credentialIDInvalidLength, at: 0)
    }
    self.bytes = bytes
  }
}

/// The relying party's identifier of a user account (WebAuthn §5.4.3): 1 to 64 bytes without personal data.
public struct UserHandle: OpaqueBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The maximum length [§5.4.3].
  package static let maximumByteCount = 64

  /// Creates a handle from 1 to 64 bytes.
  ///
  /// - Throws: `user-handle.invalid-length`.
  public init(_ bytes: [UInt8]) throws(FormatError) {
    guard 1...Self.maximumByteCount ~= bytes.count else {
      throw FormatError(.userHandleInvalidLength, at: 0)
    }
    self.bytes = bytes
  }
}
