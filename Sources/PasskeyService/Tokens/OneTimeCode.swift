// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// A code that an administrator hands to a user, who types it in once: `K7QFM-2XWRD-…`.
///
/// It has 25 symbols of 5 bits each, in groups of five [125 bits: guessing is infeasible, so the hash needs no salt].
/// The alphabet is Crockford's Base32: letters that look like digits are excluded, and are read as those digits.
public struct OneTimeCode: Sendable {
  private let symbols: [UInt8]

  static let symbolCount = 25
  static let groupLength = 5
  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The hash that is stored instead of the code.
  public var digest: TokenDigest { TokenDigest(of: symbols[...]) }

  /// The code itself, to show to its recipient only.
  public var exposedText: String {
    var text = ""
    for (index, symbol) in symbols.enumerated() {
      if index > 0, index.isMultiple(of: Self.groupLength) { text += "-" }
      text.unicodeScalars.append(Unicode.Scalar(symbol))
    }
    return text
  }

  /// Parses user input of either case, with or without hyphens and spaces. Returns nil if it is not a code.
  public init?(_ text: String) {
    var symbols: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard symbols.count < Self.symbolCount, let symbol = Self.symbol(for: byte) else { return nil }
      symbols.append(symbol)
    }
    guard symbols.count == Self.symbolCount else { return nil }
    self.symbols = symbols
  }

  init(random: RandomSource) throws(ServiceError) {
    symbols = try random.draw(Self.symbolCount).map { Self.alphabet[Int($0 & 31)] }
  }

  private static func symbol(for byte: UInt8) -> UInt8? {
    let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xdf : byte
    switch upper {
    case UInt8(ascii: "O"): return UInt8(ascii: "0")
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
    default: return alphabet.contains(upper) ? upper : nil
    }
  }
}

extension OneTimeCode: CustomStringConvertible, CustomReflectable {
  /// A constant text that does not reveal the code.
  public var description: String { "a one-time code" }

  /// An empty mirror, so that `dump` and failing tests do not reveal the code.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
