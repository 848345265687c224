// SPDX-License-Identifier: Apache-2.0

/// Whose requests are counted together.
public struct RateLimitKey: Hashable, Sendable {
  private enum Kind: Hashable {
    case address(IPAddress)
    case account(String, IPAddress?)
    case knownAccount([UInt8], IPAddress)
    case client([UInt8], account: [UInt8])
  }

  private let kind: Kind

  /// Those from an address; from all of a /64 for IPv6, of which a subscriber has at least one.
  public static func address(_ address: IPAddress) -> RateLimitKey {
    RateLimitKey(kind: .address(address.subscriber))
  }

  /// Those for an account, whether it exists or not. With an address, those that come from there alone: a flood from other
  /// addresses spends other budgets.
  public static func account(_ name: String, from address: IPAddress? = nil) -> RateLimitKey {
    RateLimitKey(kind: .account(name, address?.subscriber))
  }

  /// Those of an account's known clients at an address.
  static func account(_ account: [UInt8], at address: IPAddress) -> RateLimitKey {
    RateLimitKey(kind: .knownAccount(account, address.subscriber))
  }

  /// Those of one known client of an account.
  static func client(_ client: [UInt8], of account: [UInt8]) -> RateLimitKey {
    RateLimitKey(kind: .client(client, account: account))
  }

  /// A number that nobody outside can compute, because the hash is seeded anew in each process. It is never zero, which
  /// is an empty bucket's.
  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    return UInt64(truncatingIfNeeded: Int64(hasher.finalize())) | 1 << 63
  }
}
