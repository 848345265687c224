// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService

// mark = version (1) | client (16) | account (16) | expiry (8, seconds since 1970) | tag (16)
//
//   client   random, the same while the client presents its mark
//   account  HMAC-SHA-256 of a name of the account, so that a mark reveals no name
//   tag      HMAC-SHA-256 of all preceding bytes
//
// Limits
//   4 marks of a client [accounts that one browser signs in to; each additional mark costs two HMACs per request]

/// The marks of clients that have signed in, modeled on OWASP's device cookies. A client that presents a mark has its
/// own rate-limit budget, which other clients cannot spend.
///
/// A mark grants no access. It is signed with a key derived from the server's secret, expires, and is not stored on the
/// server. It remains valid after sign-out, because it distinguishes clients and does not authenticate them.
struct KnownClients: Sendable {
  /// A verified mark of a client.
  struct Mark: Sendable {
    /// The client identifier for the rate limit.
    let client: [UInt8]
    /// The hash of the account that the client signed in to.
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

  /// Returns the valid marks in a text, the latest first; forged, expired and malformed marks are left out.
  func read(_ text: String, at now: UnixTime) -> [Mark] {
    text.split(separator: Self.divider, maxSplits: Self.maximumCount).prefix(Self.maximumCount)
      .compactMap { mark($0, at: now) }
  }

  private func mark(_ text: Substring, at now: UnixTime) -> Mark? {
    guard let bytes = try? Base64URL.decode(String(text)), bytes.count == Self.byteCount, bytes.first == Self.version
    else { return nil }
    let signed = bytes.prefix(Self.byteCount - Self.partLength)
    guard constantTimeEquals(tag(of: signed), bytes.suffix(Self.partLength)) else { return nil }
    let expiry = signed.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let seconds = Int64(exactly: expiry), now.secondsSince1970 <= seconds else { return nil }
    let parts = signed.dropFirst()
    return Mark(
      client: Array(parts.prefix(Self.partLength)),
      account: Array(parts.dropFirst(Self.partLength).prefix(Self.partLength)),
      bytes: Array(bytes))
  }

  /// Returns the marks for a client that has signed in: a new mark for each name of this account, followed by the
  /// presented marks for other accounts. A client that presented a mark for this account keeps its client identifier.
  func mark(_ names: AccountNames, after presented: [Mark], at now: UnixTime) throws(PasskeyCryptoError) -> String {
    let accounts = names.all.map(account)
    let known = presented.first { accounts.contains($0.account) }
    let client = if let known { known.client } else { try RandomSource.system.bytes(Self.partLength) }
    let expiry = UInt64(clamping: (now + lifetime).secondsSince1970)
    let own = accounts.map { account in
      var bytes = [Self.version] + client + account
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: expiry >> UInt64(8 * (7 - $0))) }
      return bytes + tag(of: bytes)
    }
    let others = presented.filter { !accounts.contains($0.account) }.prefix(Self.maximumCount - own.count)
    return (own + others.map(\.bytes)).map { Base64URL.encode($0) }.joined(separator: String(Self.divider))
  }

  /// Returns the presented mark for the account with a name.
  func mark(for name: AccountName, among presented: [Mark]) -> Mark? {
    guard !presented.isEmpty else { return nil }
    let account = account(name)
    return presented.first { $0.account == account }
  }

  private func account(_ name: AccountName) -> [UInt8] {
    Array(HMAC.tag(of: Array("account \(name.key)".utf8), key: key).prefix(Self.partLength))
  }

  private func tag(of bytes: some Collection<UInt8>) -> [UInt8] {
    Array(HMAC.tag(of: Array("mark ".utf8) + bytes, key: key).prefix(Self.partLength))
  }
}
