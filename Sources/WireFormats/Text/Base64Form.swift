// SPDX-License-Identifier: Apache-2.0

/// One of the ways in which base64 is written: its alphabet, its padding, and whether white space may stand in it.
///
/// Limits: none of its own. What is decoded is never longer than the text, and the text is bounded by whoever read it.
///
/// A class, since a copy of its tables would be counted at each use.
final class Base64Form: Sendable {
  enum Padding {
    case required, optional, refused
  }

  /// The character of each of the 64 values.
  let characters: [UInt8]

  /// The value of each of the 256 bytes; `notInAlphabet` for most of them. In place: an array would be counted at each use.
  let values: [256 of UInt8]

  let padding: Padding
  let ignoresWhiteSpace: Bool

  /// Above every value, and found by its high bit after many values were OR-ed.
  static let notInAlphabet: UInt8 = 0xff

  /// RFC 4648 §5, without padding: what WebAuthn and JOSE write.
  static let url = Base64Form(sixtyTwo: "-", sixtyThree: "_", padding: .refused)

  /// RFC 4648 §4: what certificates in JSON are written in.
  static let standard = Base64Form(sixtyTwo: "+", sixtyThree: "/", padding: .required)

  /// RFC 7468 §3: the standard form, broken into lines.
  static let lines = Base64Form(sixtyTwo: "+", sixtyThree: "/", padding: .required, ignoresWhiteSpace: true)

  /// Either alphabet, padded or not, broken into lines or not.
  static let lenient = Base64Form(
    sixtyTwo: "+", sixtyThree: "/", padding: .optional, ignoresWhiteSpace: true, alsoAccepting: ["-": 62, "_": 63])

  private init(
    sixtyTwo: Unicode.Scalar, sixtyThree: Unicode.Scalar, padding: Padding, ignoresWhiteSpace: Bool = false,
    alsoAccepting others: KeyValuePairs<Unicode.Scalar, UInt8> = [:]
  ) {
    characters =
      Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
      + [UInt8(ascii: sixtyTwo), UInt8(ascii: sixtyThree)]
    var values = [256 of UInt8](repeating: Self.notInAlphabet)
    for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
    for (character, value) in others { values[Int(UInt8(ascii: character))] = value }
    self.values = values
    self.padding = padding
    self.ignoresWhiteSpace = ignoresWhiteSpace
  }
}
