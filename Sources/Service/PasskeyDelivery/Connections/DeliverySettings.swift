// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTransfers

/// The settings of connections to a destination.
///
/// Certificate and host name are always verified, redirects are never followed, and no proxy is used.
public struct DeliverySettings: Sendable {
  /// A PEM file with trusted certificate authorities, which replaces the system's.
  public var certificateAuthority: String?

  // 3 s [servers in data centers respond faster; a longer wait delays the other notices]
  /// The time-out for connecting, including name resolution and the TLS handshake.
  public var connectTimeout: Duration = .seconds(3)

  // 10 s [receivers should only store the notice]
  /// The time-out for the whole request, from name resolution to the last byte of the response.
  public var totalTimeout: Duration = .seconds(10)

  /// Addresses to use for host names, in curl's format: `hooks.example:443:192.0.2.1`.
  public var resolve: [String] = []

  /// Addresses that are allowed although they are not public.
  private var allowedRanges: [AddressRange] = []

  /// The addresses that are allowed without a range.
  enum Reach {
    case publicAddresses
    /// The operator's own servers are often on a private network.
    case allAddresses
    /// The connection is not encrypted.
    case thisMachine
  }

  var reach = Reach.publicAddresses

  /// Creates settings that allow the public Internet only.
  public init() {}

  /// Allows connections to a range of private addresses, such as `10.0.0.0/8`, or to one address.
  ///
  /// - Throws: `delivery.range-invalid`.
  public mutating func allowPrivateAddresses(_ range: String) throws(DeliveryError) {
    guard let parsed = AddressRange(range) else {
      throw DeliveryError(.rangeInvalid, "use an address, or a range such as 10.0.0.0/8")
    }
    allowedRanges.append(parsed)
  }

  /// Returns whether connections to an address are allowed.
  @Sendable func allows(_ address: PeerAddress) -> Bool {
    switch reach {
    case .allAddresses: return true
    case .thisMachine: return address.isLoopback
    case .publicAddresses:
      return address.isPublic
        || allowedRanges.contains { (range) in
          range.contains(address) || address.embedded.map(range.contains) ?? false
        }
    }
  }
}
