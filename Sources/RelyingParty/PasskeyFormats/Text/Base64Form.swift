// SPDX-License-Identifier: Apache-2.0

/// A variant of base64: its alphabet, its padding, and whether white space is ignored.
///
/// It has no size limit: decoded bytes are shorter than the text, whose size the caller limits.
///
/// This is a class because a struct would retain its tables on each use.
final class Base64Form: Sendable {
  enum Padding {
    case required, optional, refused
  }

  /// The characters of the values 0 to 63.
  let characters: [UInt8]

  /// The value of each byte, or `notInAlphabet`. An inline array, because an array would be retained on each use.
  let values: [256 of UInt8]

  let padding: Padding
  let ignoresWhiteSpace: Bool

  /// Larger than every value. Its high bit is set, which detects it after an OR over many values.
  static let notInAlphabet: UInt8 = 0xff

  /// RFC 4648 §5 without padding, for WebAuthn and JOSE.
  static let url = Base64Form(sixtyTwo: "-", sixtyThree: "_", padding: .refused)

  /// RFC 4648 §4, for certificates in JSON.
  static let standard = Base64Form(sixtyTwo: "+", sixtyThree: "/", padding: .required)

  /// RFC 7468 §3: the standard form with line breaks.
  static let lines = Base64Form(sixtyTwo: "+", sixtyThree: "/", padding: .required, ignoresWhiteSpace: true)

  /// Accepts either alphabet, with or without padding and line breaks.
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

extension Base64Form {
  /// Encodes bytes.
  func encode(_ bytes: Bytes) -> String {
    unsafe String(unsafeUninitializedCapacity: encodedLength(of: bytes)) { text in
      unsafe encode(bytes, into: text)
      return encodedLength(of: bytes)
    }
  }

  /// Encodes bytes and appends the text to `output`.
  func encode(_ bytes: Bytes, onto output: inout [UInt8]) {
    output.append(addingCapacity: encodedLength(of: bytes)) { text in
      unsafe text.withUnsafeMutableBufferPointer { text, count in
        unsafe encode(bytes, into: text)
        count = encodedLength(of: bytes)
      }
    }
  }

  /// Without padding, a last group of one or two bytes takes two or three characters.
  private func encodedLength(of bytes: Bytes) -> Int {
    let rest = bytes.count % 3
    return bytes.count / 3 * 4 + (rest == 0 ? 0 : padding == .required ? 4 : rest + 1)
  }

  /// Encodes bytes into a buffer. This loop dominates the encoding time.
  ///
  /// Bounds: the number of whole groups is the length of `bytes` divided by three, so `3 * group + 2` is in bounds.
  /// `text` has room for `encodedLength` characters: four a group, and the characters of the last group. The alphabet
  /// has 64 characters and is indexed by six bits.
  private func encode(_ bytes: Bytes, into text: UnsafeMutableBufferPointer<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe characters.withUnsafeBufferPointer { characters in
        guard var from = bytes.baseAddress, var to = text.baseAddress, let characters = characters.baseAddress
        else { return }
        for _ in 0..<bytes.count / 3 {
          let (first, second, third) = unsafe (from[0], from[1], from[2])
          unsafe to[0] = characters[Int(first >> 2)]
          unsafe to[1] = characters[Int((first << 4 | second >> 4) & 63)]
          unsafe to[2] = characters[Int((second << 2 | third >> 6) & 63)]
          unsafe to[3] = characters[Int(third & 63)]
          unsafe from += 3
          unsafe to += 4
        }
        let rest = bytes.count % 3
        guard rest > 0 else { return }
        let first = unsafe from[0]
        let second = rest == 2 ? unsafe from[1] : 0
        unsafe to[0] = characters[Int(first >> 2)]
        unsafe to[1] = characters[Int((first << 4 | second >> 4) & 63)]
        if rest == 2 { unsafe to[2] = characters[Int(second << 2 & 63)] }
        guard padding == .required else { return }
        if rest == 1 { unsafe to[2] = UInt8(ascii: "=") }
        unsafe to[3] = UInt8(ascii: "=")
      }
    }
  }
}
