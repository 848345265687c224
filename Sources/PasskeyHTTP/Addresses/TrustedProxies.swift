// SPDX-License-Identifier: Apache-2.0

/// The proxies whose word is taken for who the client is.
///
/// Without any, every header that speaks of another client is passed over: anybody can write one. With some, the list that
/// such a header carries is read from its right end, where the nearest proxy has written, for as long as the one who
/// wrote is trusted; the first address that is not a trusted proxy's is the client's.
public struct TrustedProxies: Sendable {
  /// The header in which the proxies write. A proxy that writes one of them lets the other one through as the client sent
  /// it, so that only one may be believed.
  public enum Header: Hashable, Sendable {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`, which nginx and most others are set to write.
    case xForwarded
    /// `Forwarded` (RFC 7239).
    case forwarded
  }

  /// Where the proxies are.
  public let blocks: [AddressBlock]

  /// Where they write.
  public let header: Header

  /// Proxies at these addresses, which write in this header.
  public init(_ blocks: [AddressBlock], header: Header = .xForwarded) {
    self.blocks = blocks
    self.header = header
  }

  /// Nobody: the client is whoever has the connection.
  public static let none = TrustedProxies([])

  /// Whether the one at this address is believed.
  public func contains(_ address: IPAddress) -> Bool {
    blocks.contains { $0.contains(address) }
  }

  /// Who the client is, and whether it came by TLS, for a request that came from `peer`.
  func origin(of peer: IPAddress, isEncrypted: Bool, headers: HTTPHeaders) -> (client: IPAddress, isEncrypted: Bool) {
    guard contains(peer) else { return (peer, isEncrypted) }
    let hops = header == .forwarded ? ForwardedHop.read(headers) : ForwardedHop.readXForwarded(headers)
    var client = peer
    for hop in hops.reversed() {
      // What cannot be read was written by one who is trusted, and hides who stands behind.
      guard let address = hop.address else { break }
      client = address
      guard contains(address) else { break }
    }
    // The nearest proxy says how the client reached it.
    return (client, hops.last?.isEncrypted ?? isEncrypted)
  }
}
