// SPDX-License-Identifier: Apache-2.0

extension Base64Form {
  /// Decodes ASCII text. Error offsets are indices into `text`.
  func decode(_ text: Bytes) throws(WireError) -> [UInt8] {
    try decode(text.span, from: text.startIndex)
  }

  /// Decodes a string. Error offsets are in UTF-8 bytes.
  func decode(_ text: String) throws(WireError) -> [UInt8] {
    try decode(text.utf8Span.span, from: 0)
  }

  private func decode(_ text: Span<UInt8>, from start: Int) throws(WireError) -> [UInt8] {
    if let bytes = decodeValid(text) { return bytes }
    return try decodeLocatingError(text, from: start)
  }

  /// Decodes valid text without white space. Returns `nil` for all other text, without the cause.
  private func decodeValid(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    return decodeValid(text, onto: &bytes) ? bytes : nil
  }

  /// Decodes valid text without white space and appends the bytes to `bytes`. If it returns `false`, the appended bytes
  /// are meaningless.
  func decodeValid(_ text: Span<UInt8>, onto bytes: inout [UInt8]) -> Bool {
    var length = text.count
    if padding != .refused, length.isMultiple(of: 4) {
      for _ in 0..<2 where length > 0 && text[length - 1] == UInt8(ascii: "=") { length -= 1 }
    } else if padding == .required {
      return false
    }

    let groups = length / 4
    var isWhole = false
    bytes.append(addingCapacity: groups * 3 + 2) { output in
      unsafe output.withUnsafeMutableBufferPointer { bytes, count in
        unsafe isWhole = decode(groups: groups, of: text, into: bytes)
        count = groups * 3
      }
      // Two characters hold one byte and four zero bits; three hold two bytes and two zero bits.
      let rest = length - groups * 4
      guard rest > 0 else { return }
      let first = values[Int(text[groups * 4])]
      let second = rest > 1 ? values[Int(text[groups * 4 + 1])] : Self.notInAlphabet
      let third = rest > 2 ? values[Int(text[groups * 4 + 2])] : 0
      guard first | second | third < 64, (rest == 2 ? second << 4 : third << 6) == 0 else {
        isWhole = false
        return
      }
      output.append(first << 2 | second >> 4)
      if rest == 3 { output.append(second << 4 | third >> 2) }
    }
    return isWhole
  }

  /// Decodes the first `groups` groups of four characters. Returns whether all characters are in the alphabet.
  ///
  /// This loop dominates the decoding time. Bounds: `groups` is the length of `text` divided by four, and `bytes` has
  /// room for three bytes a group, so `4 * group + 3` and `3 * group + 2` are in bounds for every `group < groups`. The
  /// table has 256 entries and is indexed by a byte.
  private func decode(groups: Int, of text: Span<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    unsafe text.withUnsafeBufferPointer { text in
      guard var from = text.baseAddress, var to = bytes.baseAddress else { return true }
      var seen: UInt8 = 0
      for _ in 0..<groups {
        let first = unsafe values[Int(from[0])]
        let second = unsafe values[Int(from[1])]
        let third = unsafe values[Int(from[2])]
        let fourth = unsafe values[Int(from[3])]
        seen |= first | second | third | fourth
        unsafe to[0] = first << 2 | second >> 4
        unsafe to[1] = second << 4 | third >> 2
        unsafe to[2] = third << 6 | fourth
        unsafe from += 4
        unsafe to += 3
      }
      return seen < 64
    }
  }

  /// Decodes one character at a time, to find the position of an error.
  private func decodeLocatingError(_ text: Span<UInt8>, from start: Int) throws(WireError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var rest = Rest()
    var equalsSigns = 0
    var last = 0
    for position in text.indices {
      let character = text[position]
      if ignoresWhiteSpace, character.isASCIIWhiteSpace { continue }
      if character == UInt8(ascii: "="), padding != .refused, rest.count >= 2, rest.count + equalsSigns < 4 {
        equalsSigns += 1
        continue
      }
      let value = values[Int(character)]
      guard value != Self.notInAlphabet, equalsSigns == 0 else {
        throw WireError(.base64InvalidCharacter, at: start + position)
      }
      rest.append(value)
      last = position
      if rest.count == 4 { rest.write(onto: &bytes) }
    }

    let isWhole = rest.count == 0 || rest.count + equalsSigns == 4
    let needsNoPadding = padding != .required && equalsSigns == 0 && rest.count != 1
    guard isWhole || needsNoPadding else { throw WireError(.base64InvalidLength, at: start + text.count) }
    guard rest.hasNoStrayBits else { throw WireError(.base64StrayBits, at: start + last) }
    rest.write(onto: &bytes)
    return bytes
  }
}

/// Up to four characters that are not decoded yet.
private struct Rest {
  private(set) var count = 0
  private var bits: UInt32 = 0

  mutating func append(_ value: UInt8) {
    bits = bits << 6 | UInt32(value)
    count += 1
  }

  /// Whether the spare bits are zero: four bits after two characters, two bits after three.
  var hasNoStrayBits: Bool {
    bits & (1 << spareBits - 1) == 0
  }

  /// Appends the decoded bytes and resets.
  mutating func write(onto bytes: inout [UInt8]) {
    let whole = bits >> spareBits
    for shift in stride(from: 6 * count - spareBits - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: whole >> shift))
    }
    self = Rest()
  }

  private var spareBits: Int { 6 * count % 8 }
}

extension UInt8 {
  /// Whether this is a space, tab or line break.
  @inlinable package var isASCIIWhiteSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
  }
}
