// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// A secret bearer token: of a session, of its renewal, or of a confirmed action.
///
/// The server sends it once, in the response that issues it, and stores only its `digest`. Its description does not
/// reveal it. It begins with the time of issue, so that the store can append to its index.
public struct Token: Sendable {
  private let bytes: [UInt8]

  /// The length in bytes [the same as its hash's; 26 bytes are random, so guessing is infeasible].
  public static let byteCount = 32

  /// The hash that is stored instead of the token.
  package var digest: TokenDigest { TokenDigest(of: bytes, keeping: TimeOrderedBytes.prefixByteCount) }

  /// The token itself, in base64url, to send to its owner only.
  public var exposedText: String { Base64URL.encode(bytes) }

  /// Parses a token that a client presents. Returns nil if it is malformed.
  public init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  init(at time: UnixTime, random: RandomSource) throws(ServiceError) {
    bytes = try TimeOrderedBytes.draw(Self.byteCount, at: time, random)
  }

  /// Derives the successor of a token that was presented at `time`, for a purpose. The derivation is deterministic and
  /// requires the key.
  init(of purpose: String, succeeding token: Token, at time: UnixTime, key: SecretBytes) {
    var message = ByteWriter()
    message.write([UInt8]("passkey successor 1 \(purpose)".utf8))
    message.write(UInt64(bitPattern: time.secondsSince1970))
    message.write(token.bytes)
    let moment = TimeOrderedBytes.timePrefix(time)
    bytes = moment + HMAC.tag(of: message.bytes, key: key).prefix(Self.byteCount - moment.count)
  }
}

extension Token: CustomStringConvertible, CustomReflectable {
  /// A constant text that does not reveal the token.
  public var description: String { "a token" }

  /// An empty mirror, so that `dump` and failing tests do not reveal the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RandomSource {
  /// Generates random bytes, and wraps the error of the source in a ``ServiceError``.
  func draw(_ count: Int) throws(ServiceError) -> [UInt8] {
    try mapError(bytes(count)) { (error: PasskeyCryptoError) in
      ServiceError(.randomnessUnavailable, cause: .crypto(error))
    }
  }

  /// Generates a random identifier.
  func draw<Identifier: FixedBytes>(_: Identifier.Type) throws(ServiceError) -> Identifier {
    Identifier(unchecked: try draw(Identifier.byteCount))
  }
}

/// The SHA-256 of a secret, stored in place of the secret.
///
/// The digest of a ``Token`` has the token's time of issue in place of its first bytes, so that digests are stored in
/// that order. The other 26 bytes are from the hash.
package struct TokenDigest: FixedBytes {
  /// The hash.
  package let bytes: [UInt8]

  /// The length of a SHA-256 hash.
  package static let byteCount = 32

  /// Creates a digest from a hash whose length is already checked.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Hashes a secret. The digest begins with the first `openCount` bytes of the secret, which are not confidential.
  init(of secret: some ByteSource, keeping openCount: Int = 0) {
    let secret = secret.slice
    bytes = Array(secret.prefix(openCount)) + Digest.sha256(secret).dropFirst(openCount)
  }
}
