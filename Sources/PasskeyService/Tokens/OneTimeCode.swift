// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// A code that an administrator hands to a person, who types it in once: `K7QFM-2XWRD-…`.
///
/// 25 letters and digits of 5 bits each, in groups of five [125 bits: none can be guessed, so their hash needs no salt].
/// Letters that are taken for digits are not among them, and are read as those digits (the alphabet is Crockford's).
public struct OneTimeCode: Sendable {
  private let symbols: [UInt8]

  static let symbolCount = 25
  static let groupLength = 5
  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// What the store has in its place.
  public var digest: TokenDigest { TokenDigest(of: symbols[...]) }

  /// The code itself, for whoever may have it.
  public var exposedText: String {
    var text = ""
    for (index, symbol) in symbols.enumerated() {
      if index > 0, index.isMultiple(of: Self.groupLength) { text += "-" }
      text.unicodeScalars.append(Unicode.Scalar(symbol))
    }
    return text
  }

  /// Reads what somebody types, in letters of either case and with or without hyphens and spaces; whatever is no code is
  /// nil.
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
  /// That it is one, and not which.
  public var description: String { "a one-time code" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
