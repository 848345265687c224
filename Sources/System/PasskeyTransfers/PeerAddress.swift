// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// The network address of a peer.
package struct PeerAddress: Hashable, Sendable {
  /// Four bytes of an IPv4 address or sixteen of an IPv6 address, in network byte order.
  package let bytes: [UInt8]

  /// Returns nil for any other number of bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The IPv4 address within an IPv4-mapped, IPv4-compatible, NAT64 or 6to4 address.
  package var embedded: PeerAddress? {
    guard bytes.count == 16 else { return nil }
    if bytes.starts(with: [0x20, 0x02]) { return PeerAddress(Array(bytes[2..<6])) }
    let prefixes: [[UInt8]] = [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    return prefixes.contains { bytes.starts(with: $0) } ? PeerAddress(Array(bytes[12...])) : nil
  }

  /// Whether packets to this address stay on this machine.
  package var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 }
    if bytes == [UInt8](repeating: 0, count: 15) + [1] { return true }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    return bytes.starts(with: mapped) && bytes[12] == 127
  }

  /// Whether the address is a unicast address of the public Internet (IANA's special-purpose address registries).
  package var isPublic: Bool {
    if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(self) } }
    if let embedded { return embedded.isPublic && bytes != [UInt8](repeating: 0, count: 16) }
    return Self.globalIPv6.contains(self) && !Self.specialIPv6.contains { $0.contains(self) }
  }

  private static let specialIPv4 = ranges([
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4",
  ])
  private static let globalIPv6 = AddressRange(bytes: [0x20] + [UInt8](repeating: 0, count: 15), prefix: 3)
  private static let specialIPv6 = ranges(["2001::/23", "2001:db8::/32", "3fff::/20"])

  private static func ranges(_ texts: [String]) -> [AddressRange] { texts.compactMap { AddressRange($0) } }
}

/// A range of network addresses, such as `10.0.0.0/8` or `fd00::/8`.
package struct AddressRange: Hashable, Sendable {
  private let bytes: [UInt8]
  private let prefix: Int

  init(bytes: [UInt8], prefix: Int) {
    self.bytes = bytes
    self.prefix = prefix
  }

  /// Parses an address and a prefix length, the number of leading bits that all addresses of the range share. A single
  /// address needs no prefix length. Returns nil for other text, and if bits after the prefix are set.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let bytes = NumericAddress.bytes(of: String(parts[0])), parts.count <= 2 else { return nil }
    var prefix = bytes.count * 8
    if parts.count == 2 {
      guard let count = Int(parts[1]), 0...prefix ~= count, String(count) == parts[1] else { return nil }
      prefix = count
    }
    self.init(bytes: bytes, prefix: prefix)
    guard (prefix..<bytes.count * 8).allSatisfy({ !Self.bit($0, of: bytes) }) else { return nil }
  }

  /// Returns whether the range contains this address.
  package func contains(_ address: PeerAddress) -> Bool {
    address.bytes.count == bytes.count
      && (0..<prefix).allSatisfy { Self.bit($0, of: bytes) == Self.bit($0, of: address.bytes) }
  }

  private static func bit(_ index: Int, of bytes: [UInt8]) -> Bool {
    bytes[index / 8] >> (7 - index % 8) & 1 == 1
  }
}
