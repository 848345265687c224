// SPDX-License-Identifier: Apache-2.0

/// A simple value (RFC 8949 §3.3): one of the four that have a name, or a number that nobody has given a meaning.
public struct CBORSimple: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8

  /// `false`
  public static let `false` = Self(unchecked: 20)
  /// `true`
  public static let `true` = Self(unchecked: 21)
  /// `null`
  public static let null = Self(unchecked: 22)
  /// `undefined`
  public static let undefined = Self(unchecked: 23)

  /// The value with this number. 24 to 31 are reserved, and nil.
  public init?(rawValue: UInt8) {
    guard !(24..<32).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  init(_ head: CBORHead) {
    self.init(unchecked: UInt8(truncatingIfNeeded: head.argument))
  }

  private init(unchecked rawValue: UInt8) {
    self.rawValue = rawValue
  }
}
