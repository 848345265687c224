// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A string from an extensible set. Unknown values are preserved.
///
/// Values are equal if their UTF-8 is equal. Swift's own `==` on strings compares canonical equivalents, which is too
/// lenient for values that security decisions depend on.
public protocol OpenString: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
  /// The value with this string, known or not.
  init(rawValue: String)
}

extension OpenString {
  /// Whether both strings have the same bytes.
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
