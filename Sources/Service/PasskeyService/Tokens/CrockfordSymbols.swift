// SPDX-License-Identifier: Apache-2.0

/// Symbols of Crockford's Base32, in which codes for people are written. The alphabet has no letters that look like digits;
/// in user input, such letters count as those digits.
struct CrockfordSymbols: Hashable, Sendable {
  let bytes: [UInt8]

  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Uses five bits of each byte.
  init(of bytes: some Sequence<UInt8>) {
    self.bytes = bytes.map { (byte) in Self.alphabet[Int(byte & 31)] }
  }

  /// Parses user input of either case, with or without hyphens and spaces. Returns nil if it does not have this many
  /// symbols.
  init?(_ text: String, count: Int) {
    var symbols: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard symbols.count < count, let symbol = Self.symbol(for: byte) else { return nil }
      symbols.append(symbol)
    }
    guard symbols.count == count else { return nil }
    bytes = symbols
  }

  /// Returns the symbols in groups, separated by hyphens.
  func text(inGroupsOf length: Int) -> String {
    var text = ""
    for (index, symbol) in bytes.enumerated() {
      if index > 0, index.isMultiple(of: length) { text += "-" }
      text.unicodeScalars.append(Unicode.Scalar(symbol))
    }
    return text
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
