// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), which dual-stack sockets report, becomes the IPv4 address. Address
/// lists therefore need only one form of each address.
public struct IPAddress: Hashable, Sendable {
  /// The version of the Internet Protocol.
  public enum Version: Hashable, Sendable {
    /// IPv4, 32 bits.
    case four
    /// IPv6, 128 bits.
    case six
  }

  /// The version of this address.
  public let version: Version

  /// The upper half of an IPv6 address; zero for IPv4.
  package let high: UInt64

  /// The lower half of an IPv6 address, or all 32 bits of an IPv4 address.
  package let low: UInt64

  /// Creates an IPv4 address from its 32 bits.
  public init(v4 number: UInt32) {
    version = .four
    high = 0
    low = UInt64(number)
  }

  /// Creates an IPv6 address from its two halves; an IPv4-mapped address becomes an IPv4 address.
  public init(v6 high: UInt64, _ low: UInt64) {
    let isWrapped = high == 0 && low >> 32 == 0xffff
    version = isWrapped ? .four : .six
    self.high = high
    self.low = isWrapped ? low & 0xffff_ffff : low
  }

  /// The IPv4 loopback address, 127.0.0.1.
  public static let loopback = IPAddress(v4: 0x7f00_0001)

  /// The IPv6 loopback address, ::1.
  public static let loopbackV6 = IPAddress(v6: 0, 1)

  /// Whether this is a loopback address: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool { version == .four ? low >> 24 == 127 : self == .loopbackV6 }

  /// Whether this is 0.0.0.0 or ::, on which a server listens on all addresses.
  package var isUnspecified: Bool { high == 0 && low == 0 }

  /// The number of bits: 32 or 128.
  var bitCount: Int { version == .four ? 32 : 128 }

  /// Returns the address with all bits after the first `length` cleared.
  func prefix(_ length: Int) -> IPAddress {
    let kept = max(0, min(length, bitCount))
    switch version {
    case .four:
      return IPAddress(v4: UInt32(truncatingIfNeeded: low) & (kept == 0 ? 0 : ~0 << UInt32(32 - kept)))
    case .six:
      let highMask: UInt64 = kept >= 64 ? ~0 : kept == 0 ? 0 : ~0 << UInt64(64 - kept)
      let lowMask: UInt64 = kept <= 64 ? 0 : ~0 << UInt64(128 - kept)
      return IPAddress(unwrappedHigh: high & highMask, low & lowMask)
    }
  }

  /// The part of the address that identifies one subscriber: all of an IPv4 address, and the first 64 bits of an IPv6
  /// address. A subscriber chooses the remaining IPv6 bits freely.
  package var subscriber: IPAddress { version == .four ? self : prefix(64) }

  /// The block that contains the address and that one site may hold. For IPv6 it is the /48, the largest block that a site
  /// usually gets (RFC 6177). For IPv4 it is the /24, because networks exchange no routes to smaller blocks.
  var site: IPAddress { prefix(version == .four ? 24 : 48) }

  /// Creates an IPv6 address without unmapping, so that a prefix keeps its version.
  private init(unwrappedHigh high: UInt64, _ low: UInt64) {
    version = .six
    self.high = high
    self.low = low
  }
}

extension IPAddress: CustomStringConvertible {
  /// Four decimal numbers for IPv4; the text form recommended by RFC 5952 for IPv6.
  public var description: String {
    guard version == .six else {
      return (0..<4).reversed().map { String(low >> UInt64(8 * $0) & 0xff) }.joined(separator: ".")
    }
    let groups = (0..<8).map { (index) in
      UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(16 * (3 - index % 4)))
    }
    guard let zeros = Self.longestZeroRun(groups) else { return Self.joined(groups) }
    return "\(Self.joined(groups[..<zeros.lowerBound]))::\(Self.joined(groups[zeros.upperBound...]))"
  }

  private static func joined(_ groups: some Collection<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Returns the first of the longest runs of two or more zero groups.
  private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
    var longest: Range<Int>?
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      if end - start >= 2, end - start > longest?.count ?? 0 { longest = start..<end }
      start = max(end, start + 1)
    }
    return longest
  }
}
