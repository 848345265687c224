// SPDX-License-Identifier: Apache-2.0

/// The address, account or client whose requests share one rate-limit budget.
public struct RateLimitKey: Hashable, Sendable {
  private enum Kind: Hashable {
    case address(IPAddress)
    case account(String, IPAddress?)
    case knownAccount([UInt8], IPAddress)
    case client([UInt8], account: [UInt8])
  }

  private let kind: Kind

  /// Requests from an address. All IPv6 addresses of a /64 share one key, because a subscriber has at least a /64.
  public static func address(_ address: IPAddress) -> RateLimitKey {
    RateLimitKey(kind: .address(address.subscriber))
  }

  /// Requests for an account, whether it exists or not. With an address, only requests from that address: a flood from
  /// other addresses spends other budgets.
  public static func account(_ name: String, from address: IPAddress? = nil) -> RateLimitKey {
    RateLimitKey(kind: .account(name, address?.subscriber))
  }

  /// Requests of an account's known clients at an address.
  static func account(_ account: [UInt8], at address: IPAddress) -> RateLimitKey {
    RateLimitKey(kind: .knownAccount(account, address.subscriber))
  }

  /// Requests of one known client of an account.
  static func client(_ client: [UInt8], of account: [UInt8]) -> RateLimitKey {
    RateLimitKey(kind: .client(client, account: account))
  }

  /// A hash that outsiders cannot predict, because each process uses a random seed. It is never zero, which marks an
  /// empty bucket.
  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    return UInt64(truncatingIfNeeded: Int64(hasher.finalize())) | 1 << 63
  }
}
