// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// A code that an administrator hands to a user, or that is mailed to them, and that they type in once: `K7QFM-2XWRD-…`.
///
/// It has 25 symbols of 5 bits each, in groups of five [125 bits: guessing is infeasible, so the hash needs no salt].
/// The alphabet is Crockford's Base32: letters that look like digits are excluded, and count as those digits.
public struct OneTimeCode: Sendable {
  private let symbols: CrockfordSymbols

  static let symbolCount = 25
  static let groupLength = 5

  /// The hash that is stored instead of the code.
  package var digest: TokenDigest { TokenDigest(of: symbols.bytes) }

  /// The code itself, to show to its recipient only.
  public var exposedText: String { symbols.text(inGroupsOf: Self.groupLength) }

  /// Parses user input of either case, with or without hyphens and spaces. Returns nil if it is not a code.
  public init?(_ text: String) {
    guard let symbols = CrockfordSymbols(text, count: Self.symbolCount) else { return nil }
    self.symbols = symbols
  }

  init(random: RandomSource) throws(ServiceError) {
    symbols = CrockfordSymbols(of: try random.draw(Self.symbolCount))
  }

  /// Derives a code from a MAC of 32 bytes.
  init(derivedFrom tag: [UInt8]) {
    symbols = CrockfordSymbols(of: tag.prefix(Self.symbolCount))
  }
}

extension OneTimeCode: CustomStringConvertible, CustomReflectable {
  /// A constant text that does not reveal the code.
  public var description: String { "a one-time code" }

  /// An empty mirror, so that `dump` and failing tests do not reveal the code.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
