// SPDX-License-Identifier: Apache-2.0

extension Base64Form {
  /// `bytes` as text.
  func encode(_ bytes: Bytes) -> String {
    unsafe String(unsafeUninitializedCapacity: encodedLength(of: bytes)) { text in
      unsafe encode(bytes, into: text)
      return encodedLength(of: bytes)
    }
  }

  /// Puts `bytes`, as text, behind `output`.
  func encode(_ bytes: Bytes, onto output: inout [UInt8]) {
    output.append(addingCapacity: encodedLength(of: bytes)) { text in
      unsafe text.withUnsafeMutableBufferPointer { text, count in
        unsafe encode(bytes, into: text)
        count = encodedLength(of: bytes)
      }
    }
  }

  /// Without padding, a group of one or two bytes takes one character more than it has bytes.
  private func encodedLength(of bytes: Bytes) -> Int {
    let rest = bytes.count % 3
    return bytes.count / 3 * 4 + (rest == 0 ? 0 : padding == .required ? 4 : rest + 1)
  }

  /// The one loop that must be quick. Bounds: the whole groups are counted by dividing the length of `bytes` by three, so
  /// `3 * group + 2` stays inside; `text` has room for `encodedLength`, which is four characters a group and what the
  /// rest needs; the alphabet has 64 characters and is indexed by six bits.
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
