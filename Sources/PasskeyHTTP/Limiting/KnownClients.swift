// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemCrypto
internal import WireFormats

// mark = version (1) | client (16) | account (16) | expiry (8, seconds since 1970) | tag (16)
//
//   client   random, the same for as long as the client shows its mark
//   account  HMAC-SHA-256 of the address, so that a mark names no one
//   tag      HMAC-SHA-256 of all bytes before it
//
// Limits
//   4 marks of a client [accounts that one browser signs in to; each further one costs two HMACs per request]

/// The marks of clients that have signed in, as OWASP's device cookies: a client that shows one has a budget of its own,
/// which no stranger can spend.
///
/// A mark opens nothing. It is signed with a key derived from the server's secret, expires, and is stored by no server.
/// Signing out keeps it, because it tells a client from strangers and proves no one's identity.
struct KnownClients: Sendable {
  /// A verified mark of a client.
  struct Mark: Sendable {
    /// The client, as the rate limit counts it.
    let client: [UInt8]
    /// The account that the client signed in to.
    let account: [UInt8]
    fileprivate let bytes: [UInt8]
  }

  private let key: SecretBytes
  let lifetime: Duration

  private static let version: UInt8 = 1
  private static let partLength = 16
  private static let byteCount = 1 + partLength + partLength + 8 + partLength
  private static let maximumCount = 4
  private static let divider = Character(".")

  init(key: SecretBytes, lifetime: Duration) {
    self.key = key
    self.lifetime = lifetime
  }

  /// The valid marks in a text, the latest first; what is forged, expired or malformed is left out.
  func read(_ text: String, at now: Timestamp) -> [Mark] {
    text.split(separator: Self.divider, maxSplits: Self.maximumCount).prefix(Self.maximumCount)
      .compactMap { mark($0, at: now) }
  }

  private func mark(_ text: Substring, at now: Timestamp) -> Mark? {
    guard let bytes = try? Base64URL.decode(String(text)), bytes.count == Self.byteCount, bytes.first == Self.version
    else { return nil }
    let signed = bytes.prefix(Self.byteCount - Self.partLength)
    guard constantTimeEquals(tag(of: signed)[...], bytes.suffix(Self.partLength)) else { return nil }
    let expiry = signed.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let seconds = Int64(exactly: expiry), now.secondsSince1970 <= seconds else { return nil }
    let parts = signed.dropFirst()
    return Mark(
      client: Array(parts.prefix(Self.partLength)),
      account: Array(parts.dropFirst(Self.partLength).prefix(Self.partLength)),
      bytes: Array(bytes))
  }

  /// The marks of a client that has signed in: a new one for this account, in front of those for other accounts that it
  /// showed. A client that showed one for this account stays the same client.
  func mark(_ email: EmailAddress, after shown: [Mark], at now: Timestamp) throws(CryptoError) -> String {
    let account = account(email)
    let known = shown.first { $0.account == account }
    let client = if let known { known.client } else { try RandomSource.system.bytes(Self.partLength) }
    let expiry = UInt64(clamping: (now + lifetime).secondsSince1970)
    var bytes = [Self.version] + client + account
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: expiry >> UInt64(8 * (7 - $0))) }
    bytes += tag(of: bytes[...])
    let others = shown.filter { $0.account != account }.prefix(Self.maximumCount - 1).map(\.bytes)
    return ([bytes] + others).map { Base64URL.encode($0) }.joined(separator: String(Self.divider))
  }

  /// The mark for an account among those that a client showed.
  func mark(for email: EmailAddress, among shown: [Mark]) -> Mark? {
    guard !shown.isEmpty else { return nil }
    let account = account(email)
    return shown.first { $0.account == account }
  }

  private func account(_ email: EmailAddress) -> [UInt8] {
    Array(HMAC.tag(of: Array("account \(email.text)".utf8)[...], key: key).prefix(Self.partLength))
  }

  private func tag(of bytes: Bytes) -> [UInt8] {
    Array(HMAC.tag(of: Array("mark ".utf8)[...] + bytes, key: key).prefix(Self.partLength))
  }
}
