// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A parser of origins. Its errors point at the first invalid byte.
struct OriginParser {
  private let text: Bytes
  private var rest: Bytes

  init(_ text: Bytes) {
    self.text = text
    rest = text
  }

  mutating func readOrigin() throws(FormatError) -> WebOrigin {
    if let invalid = firstInvalidUTF8(in: text) { throw fault(at: invalid) }
    let scheme = try readScheme()
    switch String(decoding: scheme, as: UTF8.self) {
    case "https": return try readWebOrigin("https", standardPort: 443)
    case "http": return try readWebOrigin("http", standardPort: 80)
    default:
      // Browsers write these schemes in lower case. Accepting another case would produce a native origin.
      if ["https", "http"].contains(String(decoding: scheme.map(Self.lowercased), as: UTF8.self)) {
        throw fault(at: scheme.startIndex)
      }
      guard !rest.isEmpty else { throw fault(at: rest.startIndex) }
      if let control = rest.firstIndex(where: { $0 <= 0x20 || $0 == 0x7f }) { throw fault(at: control) }
      return WebOrigin(text: String(decoding: text, as: UTF8.self), kind: .native)
    }
  }

  /// Reads the scheme (RFC 3986 §3.1) and the colon after it.
  private mutating func readScheme() throws(FormatError) -> Bytes {
    let scheme = rest.prefix { $0 != UInt8(ascii: ":") }
    guard let first = scheme.first, Self.isLetter(first) else { throw fault(at: text.startIndex) }
    if let other = scheme.firstIndex(where: { !Self.isLetter($0) && !Self.isDigit($0) && !"+-.".utf8.contains($0) }) {
      throw fault(at: other)
    }
    rest = rest[scheme.endIndex...]
    try read(":")
    return scheme
  }

  private mutating func readWebOrigin(_ scheme: String, standardPort: UInt16) throws(FormatError) -> WebOrigin {
    try read("//")
    let host = rest.first == UInt8(ascii: "[") ? try readAddress() : try readHost()
    let port = rest.isEmpty ? standardPort : try readPort()
    let suffix = port == standardPort ? "" : ":\(port)"
    return WebOrigin(text: "\(scheme)://\(host)\(suffix)", kind: .web(scheme: scheme, host: host, port: port))
  }

  private mutating func readHost() throws(FormatError) -> String {
    let host = rest.prefix { $0 != UInt8(ascii: ":") }
    if let fault = DomainName.firstFault(in: host, allowingUnderscores: true) { throw self.fault(at: fault) }
    rest = rest[host.endIndex...]
    return String(decoding: host, as: UTF8.self)
  }

  /// Reads an IPv6 address in brackets. Addresses are compared as text.
  private mutating func readAddress() throws(FormatError) -> String {
    guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { throw fault(at: rest.endIndex) }
    let address = rest[rest.startIndex + 1..<end]
    if let other = address.firstIndex(where: { !"0123456789abcdef:.".utf8.contains($0) }) { throw fault(at: other) }
    guard address.contains(UInt8(ascii: ":")) else { throw fault(at: address.startIndex) }
    let text = String(decoding: rest[...end], as: UTF8.self)
    rest = rest[(end + 1)...]
    return text
  }

  private mutating func readPort() throws(FormatError) -> UInt16 {
    try read(":")
    let digits = rest
    if let other = digits.firstIndex(where: { !Self.isDigit($0) }) { throw fault(at: other) }
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
      let port = UInt16(String(decoding: digits, as: UTF8.self))
    else { throw fault(at: digits.startIndex) }
    rest = rest[digits.endIndex...]
    return port
  }

  private mutating func read(_ expected: String) throws(FormatError) {
    for byte in expected.utf8 {
      guard rest.first == byte else { throw fault(at: rest.startIndex) }
      rest = rest.dropFirst()
    }
  }

  private func fault(at offset: Int) -> FormatError {
    FormatError(.originInvalid, at: offset)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
