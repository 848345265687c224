// SPDX-License-Identifier: Apache-2.0

/// Addresses that begin with the same bits, as a list of proxies names them: `10.0.0.0/8`, `2001:db8::/32`, `127.0.0.1`.
public struct AddressBlock: Hashable, Sendable {
  /// The first address of the block.
  public let first: IPAddress

  /// How many bits all its addresses share.
  public let prefixLength: Int

  /// Reads a block; an address alone is a block of one. Bits behind the prefix must be zero [a list that says
  /// `10.1.2.3/8` was meant otherwise].
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let head = parts.first, let address = IPAddress(head) else { return nil }
    var length = address.bitCount
    if parts.count == 2 {
      let digits = parts[1]
      // The number counts the bits of what is written: ::ffff:0:0/96 is not written with four numbers.
      let isWrapped = address.version == .four && head.contains(":")
      guard 1...3 ~= digits.utf8.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) else {
        return nil
      }
      length = isWrapped ? number - 96 : number
      guard 0...address.bitCount ~= length else { return nil }
    }
    guard address.prefix(length) == address else { return nil }
    first = address
    prefixLength = length
  }

  /// Whether an address is one of the block.
  public func contains(_ address: IPAddress) -> Bool {
    address.version == first.version && address.prefix(prefixLength) == first
  }
}

extension AddressBlock: CustomStringConvertible {
  /// The first address and the length of the prefix.
  public var description: String { "\(first)/\(prefixLength)" }
}
