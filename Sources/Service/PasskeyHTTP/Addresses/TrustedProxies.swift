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
  public let blocks: [IPAddress.Block]

  /// The header that the proxies write.
  public let header: Header

  /// Trusts proxies at these addresses that write this header.
  public init(_ blocks: [IPAddress.Block], header: Header = .xForwarded) {
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
  package func origin(
    of peer: IPAddress, isEncrypted: Bool, headers: EndpointHeaders
  ) -> (client: IPAddress, isEncrypted: Bool) {
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
