// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
  /// A CIDR block of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32`. A single address is a block of one.
  public struct Block: Hashable, Sendable {
    /// The first address of the block.
    public let first: IPAddress

    /// The number of leading bits that all addresses of the block share.
    public let prefixLength: Int

    /// Parses a block in CIDR notation; a single address is a block of one. Bits after the prefix must be zero
    /// [`10.1.2.3/8` is most likely a typing error].
    public init?(_ text: some StringProtocol) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let head = parts.first, let address = IPAddress(head) else { return nil }
      var length = address.bitCount
      if parts.count == 2 {
        let digits = parts[1]
        // The prefix length refers to the form as written: in `::ffff:0:0/96` it counts the bits of an IPv6 address.
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

    /// Returns whether the block contains an address.
    public func contains(_ address: IPAddress) -> Bool {
      address.version == first.version && address.prefix(prefixLength) == first
    }
  }
}

extension IPAddress.Block: CustomStringConvertible {
  /// The block in CIDR notation.
  public var description: String { "\(first)/\(prefixLength)" }
}
