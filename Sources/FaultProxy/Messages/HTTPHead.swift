// SPDX-License-Identifier: Apache-2.0

/// The first lines of a request or a reply: the start line and the fields.
struct HTTPHead {
  /// The text up to the empty line, which is included.
  private(set) var bytes: [UInt8]

  /// The words of the start line.
  let startLine: [String]

  private var fields: [(name: String, value: String)]

  /// Parses a head.
  ///
  /// - Returns: Nil if the text is not a head of HTTP/1.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { (line) in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    guard let first = lines.first else { return nil }
    startLine = first.split(separator: " ", maxSplits: 2).map(String.init)
    guard startLine.count >= 2, startLine.contains(where: { $0.hasPrefix("HTTP/1.") }) else { return nil }
    fields = lines.dropFirst().compactMap { (line) in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return (line[..<colon].lowercased(), String(value))
    }
    self.bytes = bytes
  }

  /// The value of a field, by its name in lower case.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The method of a request.
  var method: String { startLine[0] }

  /// The path of a request, without its query.
  var path: String { String(startLine[1].prefix { $0 != "?" }) }

  /// The status code of a reply; zero if it is not a number.
  var status: Int { Int(startLine[1]) ?? 0 }

  /// Whether the connection ends after this message.
  var endsConnection: Bool {
    let connection = self["connection"]?.lowercased()
    return connection == "close" || (connection != "keep-alive" && startLine.contains("HTTP/1.0"))
  }

  /// Removes the fields with these names, and adds others.
  mutating func replaceFields(_ removed: Set<String>, adding added: [(name: String, value: String)] = []) {
    fields = fields.filter { !removed.contains($0.name) } + added
    let lines = [startLine.joined(separator: " ")] + fields.map { "\($0.name): \($0.value)" }
    bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// The rule by which a body ends.
enum BodyFraming {
  case none
  case length(Int)
  case chunked
  case untilEnd

  /// The framing of a request's body.
  init(ofRequest head: HTTPHead) {
    self = Self.explicit(head) ?? .none
  }

  /// The framing of the body of a reply to a request with this method.
  init(ofReply head: HTTPHead, to method: String) {
    let hasNone = method == "HEAD" || head.status < 200 || head.status == 204 || head.status == 304
    self = hasNone ? .none : Self.explicit(head) ?? .untilEnd
  }

  private static func explicit(_ head: HTTPHead) -> Self? {
    if head["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true { return .chunked }
    return head["content-length"].flatMap { Int($0) }.map { .length(max(0, $0)) }
  }
}
