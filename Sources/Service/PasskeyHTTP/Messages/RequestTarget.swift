// SPDX-License-Identifier: Apache-2.0

/// A request target: the path and the optional query, decoded once.
public struct RequestTarget: Hashable, Sendable {
  /// The percent-decoded segments of the path; empty for the root. A segment can contain a slash, which was sent as
  /// `%2F`.
  package let segments: [String]

  /// The path as sent, percent-encoded.
  public let path: String

  /// The query as sent, without the question mark; nil if it is missing.
  public let query: String?

  /// Parses a target in origin form, in absolute form, or `*`.
  ///
  /// All characters must be visible ASCII. Each `%` must be followed by two hexadecimal digits, and decoded bytes must
  /// be UTF-8 control characters are not allowed. Only the last segment may be empty, and no segment may be `.` or `..` [a
  /// proxy in front may resolve them differently].
  ///
  /// - Throws: `http.target-malformed`.
  public init(_ text: some Collection<UInt8>) throws(EndpointError) {
    let text = Array(text)
    guard !text.isEmpty, text.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") }) else {
      throw EndpointError(.targetMalformed)
    }
    let local = try Self.withoutAuthority(text[...])
    let mark = local.firstIndex(of: UInt8(ascii: "?"))
    let path = local[..<(mark ?? local.endIndex)]
    query = mark.map { String(decoding: local[($0 + 1)...], as: UTF8.self) }
    self.path = String(decoding: path, as: UTF8.self)
    segments = self.path == "*" ? ["*"] : try Self.segments(of: path)
  }

  /// Finds the first value of a query parameter.
  ///
  /// - Returns: The decoded value; nil if the parameter is missing. A value that cannot be decoded becomes empty, so that
  ///   it does not count as missing.
  public func queryValue(_ name: String) -> String? {
    for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard Self.decoded(pair[..<equals], plusIsSpace: true) == name else { continue }
      return Self.decoded(pair[equals...].dropFirst(), plusIsSpace: true) ?? ""
    }
    return nil
  }

  /// Returns the part after the authority of an absolute-form target, which clients may send to any server.
  private static func withoutAuthority(_ text: ArraySlice<UInt8>) throws(EndpointError) -> ArraySlice<UInt8> {
    if text.first == UInt8(ascii: "/") || text.elementsEqual("*".utf8) { return text }
    for scheme in ["http://", "https://"] {
      let head = text.prefix(scheme.utf8.count)
      guard String(decoding: head, as: UTF8.self).lowercased() == scheme else { continue }
      let rest = text.dropFirst(scheme.utf8.count)
      guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { break }
      return rest[slash...]
    }
    throw EndpointError(.targetMalformed)
  }

  private static func segments(of path: ArraySlice<UInt8>) throws(EndpointError) -> [String] {
    var rest = path.dropFirst()
    if rest.isEmpty { return [] }
    var segments: [String] = []
    segments.reserveCapacity(8)
    while true {
      let part = rest.prefix { $0 != UInt8(ascii: "/") }
      let isLast = part.endIndex == rest.endIndex
      guard let segment = decoded(part, plusIsSpace: false), segment != ".", segment != "..",
        !segment.isEmpty || isLast
      else { throw EndpointError(.targetMalformed) }
      segments.append(segment)
      if isLast { return segments }
      rest = rest[part.endIndex...].dropFirst()
    }
  }

  /// Returns the text without its percent-encoding; nil if that is malformed, or if it hides control characters.
  static func decoded(_ text: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    if !text.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) {
      // The target contains only ASCII.
      return String(decoding: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(HexDigit.value), let low = rest.popFirst().flatMap(HexDigit.value)
        else { return nil }
        let value = high << 4 | low
        guard value >= 0x20, value != 0x7f else { return nil }
        bytes.append(value)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
