// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

// The forms of curl's options. libcurl ignores some malformed values, so programs check them before any request.

extension HTTPSettings {
  /// The schemes of a proxy.
  package static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns whether a text has the form of ``resolve``: `HOST:PORT:ADDRESS[,ADDRESS…]`, with an optional leading `+` for
  /// an entry that may expire.
  package static func isResolve(_ text: String) -> Bool {
    guard let parts = parts(of: text.first == "+" ? String(text.dropFirst()) : text, 3) else { return false }
    return (isHost(parts[0]) || parts[0] == "*") && isPort(parts[1])
      && parts[2].split(separator: ",", omittingEmptySubsequences: false).allSatisfy { isAddress(String($0)) }
  }

  /// Returns whether a text has the form of ``connectTo``: `HOST1:PORT1:HOST2:PORT2`. An empty part matches any value or
  /// keeps the original one.
  package static func isConnectTo(_ text: String) -> Bool {
    guard let parts = parts(of: text, 4) else { return false }
    return [parts[0], parts[2]].allSatisfy { $0.isEmpty || isHost($0) }
      && [parts[1], parts[3]].allSatisfy { $0.isEmpty || isPort($0) }
  }

  /// Returns whether a text has the form of ``proxy``: `[SCHEME://][USER:PASSWORD@]HOST[:PORT][/]`, or is empty.
  package static func isProxy(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    var rest = text[...]
    if let sign = text.firstRange(of: "://") {
      guard proxySchemes.contains(text[..<sign.lowerBound].lowercased()) else { return false }
      rest = text[sign.upperBound...]
    }
    if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
    if rest.last == "/" { rest = rest.dropLast() }
    if isHost(String(rest)) { return true }
    return parts(of: String(rest), 2).map { (parts) in isHost(parts[0]) && isPort(parts[1]) } ?? false
  }

  /// Splits at colons outside brackets. Returns nil if the number of parts differs. With three parts, the last one may
  /// contain colons, because it is an address.
  private static func parts(of text: String, _ count: Int) -> [String]? {
    var parts = [""]
    var isInBrackets = false
    for character in text {
      if character == "[" { isInBrackets = true }
      if character == "]" { isInBrackets = false }
      let isBetween = character == ":" && !isInBrackets && !(count == 3 && parts.count == count)
      if isBetween { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.count == count ? parts : nil
  }

  private static func isPort(_ text: String) -> Bool {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } && UInt16(text).map { $0 > 0 } ?? false
  }

  /// Whether the text is a host name or an address. An IPv6 address must be in brackets.
  private static func isHost(_ text: String) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") { return isAddress(text) }
    return !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), 0x80...:
          true
        default: false
        }
      }
  }

  /// Whether the text is a numeric address. Brackets around an IPv6 address are optional.
  private static func isAddress(_ text: String) -> Bool {
    guard text.hasPrefix("["), text.hasSuffix("]") else {
      return NumericAddress.isIPv4(text) || NumericAddress.isIPv6(text)
    }
    return NumericAddress.isIPv6(String(text.dropFirst().dropLast()))
  }
}
