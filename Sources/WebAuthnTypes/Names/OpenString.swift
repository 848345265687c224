// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A string from a set that grows: a value that is not known yet survives being read and written.
///
/// Two of them are the same when their UTF-8 is. Swift's own `==` on strings takes text that merely looks the same for
/// the same (it compares canonical equivalents), and what is compared here decides about trust.
public protocol OpenString: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
  /// The value with this string, known or not.
  init(rawValue: String)
}

extension OpenString {
  /// Whether both are written with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue.utf8Span.span.isEqual(to: right.rawValue.utf8Span.span)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
    hasher.combine(0xff as UInt8)
  }

  /// The string.
  public var description: String { rawValue }
}
