// SPDX-License-Identifier: Apache-2.0

/// The proxies whose forwarding headers the server trusts to name the client.
///
/// Without trusted proxies, the server ignores forwarding headers, because any client can send them. With trusted
/// proxies, the server reads the list in the header from its right end, which the nearest proxy wrote. It moves left
/// while each address belongs to a trusted proxy. The first address that does not is the client's.
public struct TrustedProxies: Sendable {
  /// The header that the proxies write. Only one header can be trusted: a proxy that writes one of them passes the
  /// other on unchanged from the client.
  public enum Header: Hashable, Sendable {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`, which nginx and most other proxies write.
    case xForwarded
    /// `Forwarded` (RFC 7239).
    case forwarded
  }

  /// The addresses of the trusted proxies.
  public let blocks: [AddressBlock]

  /// The header that the proxies write.
  public let header: Header

  /// Trusts proxies at these addresses that write this header.
  public init(_ blocks: [AddressBlock], header: Header = .xForwarded) {
    self.blocks = blocks
    self.header = header
  }

  /// No trusted proxies: the peer of the connection is the client.
  public static let none = TrustedProxies([])

  /// Returns whether the address belongs to a trusted proxy.
  public func contains(_ address: IPAddress) -> Bool {
    blocks.contains { $0.contains(address) }
  }

  /// Returns the client's address, and whether the client used TLS, for a request received from `peer`.
  func origin(of peer: IPAddress, isEncrypted: Bool, headers: HTTPHeaders) -> (client: IPAddress, isEncrypted: Bool) {
    guard contains(peer) else { return (peer, isEncrypted) }
    let hops = header == .forwarded ? ForwardedHop.read(headers) : ForwardedHop.readXForwarded(headers)
    var client = peer
    for hop in hops.reversed() {
      // A trusted proxy wrote the unreadable address, and hides the client behind it.
      guard let address = hop.address else { break }
      client = address
      guard contains(address) else { break }
    }
    // The nearest proxy reports how the client connected to it.
    return (client, hops.last?.isEncrypted ?? isEncrypted)
  }
}

/// A CIDR block of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32`. A single address is a block of one.
public struct AddressBlock: Hashable, Sendable {
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

extension AddressBlock: CustomStringConvertible {
  /// The block in CIDR notation.
  public var description: String { "\(first)/\(prefixLength)" }
}
