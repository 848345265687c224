// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
  /// Parses the text form of an address: `192.0.2.1`, `2001:db8::1`, `::ffff:192.0.2.1`.
  ///
  /// Rejects ports, brackets and zones. Rejects leading zeros in decimal numbers [some parsers read them as octal, and
  /// two parsers that disagree allow a bypass of an address list].
  public init?(_ text: some StringProtocol) {
    let characters = Array(text.utf8)
    if characters.contains(UInt8(ascii: ":")) {
      guard let groups = Self.groups(of: characters[...]) else { return nil }
      let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
      self.init(v6: halves[0], halves[1])
    } else {
      guard let number = Self.dotted(characters) else { return nil }
      self.init(v4: number)
    }
  }

  /// Parses four decimal numbers separated by periods.
  private static func dotted(_ characters: some Collection<UInt8>) -> UInt32? {
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard 1...3 ~= part.count, part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      var value: UInt32 = 0
      for character in part {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= character else { return nil }
        value = value * 10 + UInt32(character - UInt8(ascii: "0"))
      }
      guard value <= 255 else { return nil }
      number = number << 8 | value
    }
    return number
  }

  /// Parses eight groups, where one `::` stands for the missing groups.
  private static func groups(of characters: ArraySlice<UInt8>) -> [UInt16]? {
    guard let gap = firstGap(in: characters) else {
      guard let groups = run(characters), groups.count == 8 else { return nil }
      return groups
    }
    let behind = characters[(gap + 2)...]
    guard firstGap(in: behind) == nil, let head = run(characters[..<gap], endsAddress: false),
      let tail = run(behind)
    else { return nil }
    // `::` stands for at least one group.
    guard head.count + tail.count <= 7 else { return nil }
    return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  private static func firstGap(in characters: ArraySlice<UInt8>) -> Int? {
    characters.indices.dropLast().first {
      characters[$0] == UInt8(ascii: ":") && characters[$0 + 1] == UInt8(ascii: ":")
    }
  }

  /// Parses groups separated by single colons. The end of an address may be an IPv4 address in dotted decimal form.
  private static func run(_ characters: ArraySlice<UInt8>, endsAddress: Bool = true) -> [UInt16]? {
    guard !characters.isEmpty else { return [] }
    let parts = characters.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var groups: [UInt16] = []
    for (index, part) in parts.enumerated() {
      if part.contains(UInt8(ascii: ".")) {
        guard endsAddress, index == parts.count - 1, let number = dotted(part) else { return nil }
        groups += [UInt16(truncatingIfNeeded: number >> 16), UInt16(truncatingIfNeeded: number)]
      } else {
        guard 1...4 ~= part.count, let group = hexadecimal(part) else { return nil }
        groups.append(group)
      }
    }
    return groups.count <= 8 ? groups : nil
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt16? {
    var value: UInt16 = 0
    for digit in digits {
      guard let nibble = HexDigit.value(digit) else { return nil }
      value = value << 4 | UInt16(nibble)
    }
    return value
  }
}

/// Hexadecimal digits.
enum HexDigit {
  /// Returns the value of a hexadecimal digit in either case; nil for any other character.
  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
