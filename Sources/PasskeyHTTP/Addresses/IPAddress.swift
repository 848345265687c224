// SPDX-License-Identifier: Apache-2.0

/// An address of the Internet Protocol, version 4 or 6.
///
/// An IPv4 address that comes wrapped in an IPv6 one (`::ffff:192.0.2.1`, as a socket that listens for both gives it) is
/// that IPv4 address: lists of addresses need no second form of each.
public struct IPAddress: Hashable, Sendable {
  /// The two versions.
  public enum Version: Hashable, Sendable {
    /// 32 bits.
    case four
    /// 128 bits.
    case six
  }

  /// Which one it is.
  public let version: Version

  /// The upper half of an IPv6 address; zero for IPv4.
  let high: UInt64

  /// The lower half of an IPv6 address, or the 32 bits of an IPv4 one.
  let low: UInt64

  /// An IPv4 address from its four bytes as a number.
  public init(v4 number: UInt32) {
    version = .four
    high = 0
    low = UInt64(number)
  }

  /// An IPv6 address from its two halves, which is an IPv4 address where it wraps one.
  public init(v6 high: UInt64, _ low: UInt64) {
    let isWrapped = high == 0 && low >> 32 == 0xffff
    version = isWrapped ? .four : .six
    self.high = high
    self.low = isWrapped ? low & 0xffff_ffff : low
  }

  /// This machine, by IPv4.
  public static let loopback = IPAddress(v4: 0x7f00_0001)

  /// This machine, by IPv6.
  public static let loopbackV6 = IPAddress(v6: 0, 1)

  /// Whether it is an address of this machine that no other machine reaches: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool { version == .four ? low >> 24 == 127 : self == .loopbackV6 }

  /// How many bits it has.
  var bitCount: Int { version == .four ? 32 : 128 }

  /// The address with all bits but the first `length` cleared.
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

  /// The part of the address that one customer of a provider has: all of IPv4, and the first 64 bits of IPv6, below which
  /// everybody picks addresses as they like.
  var subscriber: IPAddress { version == .four ? self : prefix(64) }

  /// A cut address stays of its version.
  private init(unwrappedHigh high: UInt64, _ low: UInt64) {
    version = .six
    self.high = high
    self.low = low
  }
}

extension IPAddress: CustomStringConvertible {
  /// Four decimal numbers, or the IPv6 text that RFC 5952 recommends.
  public var description: String {
    guard version == .six else {
      return (0..<4).reversed().map { String(low >> UInt64(8 * $0) & 0xff) }.joined(separator: ".")
    }
    let groups = (0..<8).map { (index) in
      UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(16 * (3 - index % 4)))
    }
    guard let zeros = Self.longestZeroRun(groups) else { return Self.joined(groups[...]) }
    return "\(Self.joined(groups[..<zeros.lowerBound]))::\(Self.joined(groups[zeros.upperBound...]))"
  }

  private static func joined(_ groups: ArraySlice<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// The first of the longest runs of two or more zeros.
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
