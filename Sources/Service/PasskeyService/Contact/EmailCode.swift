// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// A code that verifies an address: `K7QF-M2XW`.
///
/// It has eight symbols of 5 bits each [40 bits, of which an attacker can try five values, and only with the token of the
/// client that began the verification].
public struct EmailCode: Sendable {
  private let symbols: CrockfordSymbols

  static let symbolCount = 8
  static let groupLength = 4

  /// The code itself, to show to its recipient only.
  public var exposedText: String { symbols.text(inGroupsOf: Self.groupLength) }

  /// Parses user input of either case, with or without hyphens and spaces. Returns nil if it is not a code.
  public init?(_ text: String) {
    guard let symbols = CrockfordSymbols(text, count: Self.symbolCount) else { return nil }
    self.symbols = symbols
  }

  /// Derives a code from a MAC.
  init(derivedFrom tag: [UInt8]) {
    symbols = CrockfordSymbols(of: tag.prefix(Self.symbolCount))
  }

  /// Compares two codes in constant time.
  func isSame(as other: EmailCode) -> Bool { constantTimeEquals(symbols.bytes, other.symbols.bytes) }
}

extension EmailCode: CustomStringConvertible, CustomReflectable {
  /// A constant text that does not reveal the code.
  public var description: String { "an email code" }

  /// An empty mirror, so that `dump` and failing tests do not reveal the code.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
