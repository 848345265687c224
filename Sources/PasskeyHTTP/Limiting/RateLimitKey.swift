// SPDX-License-Identifier: Apache-2.0

/// Whose requests are counted together.
public struct RateLimitKey: Hashable, Sendable {
  private enum Kind: Hashable {
    case address(IPAddress)
    case account(String)
  }

  private let kind: Kind

  /// Those from an address; from all of a /64 for IPv6, of which a subscriber has at least one.
  public static func address(_ address: IPAddress) -> RateLimitKey {
    RateLimitKey(kind: .address(address.subscriber))
  }

  /// Those for an account, whether there is one or not.
  public static func account(_ name: String) -> RateLimitKey {
    RateLimitKey(kind: .account(name))
  }

  /// A number that nobody outside can compute, because the hash is seeded anew in each process. It is never zero, which
  /// is an empty bucket's.
  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    return UInt64(truncatingIfNeeded: Int64(hasher.finalize())) | 1 << 63
  }
}
