// SPDX-License-Identifier: Apache-2.0

/// The first lines of a request or a reply: the start line and the fields.
///
/// A head that two readers could read differently is refused, because bytes are forwarded as they are. So bytes are compared,
/// never characters: in a `String`, a combining character behind a colon hides the colon.
struct HTTPHead {
  /// The message that a head begins.
  enum Kind {
    case request
    case reply
  }

  /// The text up to the empty line, which is included.
  private(set) var bytes: [UInt8]

  /// The method of a request; empty for a reply.
  let method: String

  /// The path of a request, without its query; empty for a reply.
  let path: String

  /// The status code of a reply; 0 for a request.
  let status: Int

  /// Whether the sender uses HTTP/1.0, which has no chunks and no interim replies.
  let isVersion1_0: Bool

  private let startLine: [UInt8]
  private var fields: [Field] = []

  fileprivate struct Field {
    /// In lower case.
    let name: String
    /// Without white space at its ends.
    let value: String
    /// The line as it was sent, without its end.
    let line: [UInt8]
  }

  /// Parses a head, up to its empty line, which is included.
  init(_ bytes: [UInt8], as kind: Kind) throws(MessageReader.Failure) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()[...]
    // Empty lines before the start line are ignored (RFC 9112 §2.2), and not forwarded.
    while let first = lines.first, first.isEmpty || first.elementsEqual([UInt8(ascii: "\r")]) { lines.removeFirst() }
    guard let first = lines.first else { throw .malformed(.notHTTP) }
    startLine = first.last == UInt8(ascii: "\r") ? Array(first.dropLast()) : Array(first)
    let words = startLine.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, let version = Self.version(words[kind == .request ? words.count - 1 : 0]) else {
      throw .malformed(.notHTTP)
    }
    isVersion1_0 = version == 0
    switch kind {
    case .request:
      let target = words[1].prefix { (byte) in byte != UInt8(ascii: "?") }
      guard words.count == 3, Self.isToken(words[0]), !target.isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
      else { throw .malformed(.notHTTP) }
      (method, path, status) = (String(decoding: words[0], as: UTF8.self), String(decoding: target, as: UTF8.self), 0)
    case .reply:
      guard words[1].count == 3, let number = Self.number(words[1]), number >= 100 else { throw .malformed(.notHTTP) }
      (method, path, status) = ("", "", number)
    }
    guard lines.allSatisfy(Self.isLine) else { throw .malformed(.bareLineEnd) }
    // The last line is empty.
    for line in lines.dropFirst().dropLast() { fields.append(try Field(line.dropLast())) }
    self.bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
  }

  /// The values of all fields with a name in lower case.
  func values(_ name: String) -> [String] { fields.compactMap { (field) in field.name == name ? field.value : nil } }

  /// Whether a field with a name in lower case lists a word.
  func lists(_ word: String, in name: String) -> Bool {
    values(name).contains { (value) in
      value.utf8.split(separator: UInt8(ascii: ",")).contains { (item) in
        String(decoding: item.filter { (byte) in byte != 0x20 && byte != 0x09 }, as: UTF8.self).lowercased() == word
      }
    }
  }

  /// Whether the connection ends after this message.
  var endsConnection: Bool {
    lists("close", in: "connection") || (isVersion1_0 && !lists("keep-alive", in: "connection"))
  }

  /// Whether the client waits for an interim reply before it sends the body.
  var expectsContinue: Bool { !isVersion1_0 && lists("100-continue", in: "expect") }

  /// Whether the client offers another protocol for the connection.
  var asksForUpgrade: Bool {
    method == "CONNECT" || (!isVersion1_0 && !values("upgrade").isEmpty && lists("upgrade", in: "connection"))
  }

  /// Removes the fields with these names, and adds others. The other lines stay as they were sent.
  mutating func replaceFields(_ removed: Set<String>, adding added: [(name: String, value: String)] = []) {
    fields.removeAll { (field) in removed.contains(field.name) }
    for (name, value) in added {
      fields.append(Field(name: name.lowercased(), value: value, line: Array("\(name): \(value)".utf8)))
    }
    let end = Array("\r\n".utf8)
    bytes = ([startLine] + fields.map(\.line)).reduce(into: []) { (bytes, line) in bytes += line + end } + end
  }
}

// MARK: Syntax

extension HTTPHead {
  /// The minor version of a protocol name such as `HTTP/1.1`; nil for any other name.
  private static func version(_ word: ArraySlice<UInt8>) -> Int? {
    ["HTTP/1.0", "HTTP/1.1"].firstIndex { (version) in version.utf8.elementsEqual(word) }
  }

  fileprivate static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
    !word.isEmpty
      && word.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether a line has a CR at its end only, and no NUL.
  private static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
    line.last == UInt8(ascii: "\r") && !line.dropLast().contains { (byte) in byte == UInt8(ascii: "\r") || byte == 0 }
  }

  /// Parses decimal digits, at most 18.
  fileprivate static func number(_ text: some Collection<UInt8>) -> Int? {
    guard 1...18 ~= text.count, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }
}

extension HTTPHead.Field {
  /// Parses a line without its end. White space before the name or the colon is refused (RFC 9112 §5).
  fileprivate init(_ line: ArraySlice<UInt8>) throws(MessageReader.Failure) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPHead.isToken(line[..<colon]) else {
      throw .malformed(.malformedField)
    }
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var value = line[line.index(after: colon)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    self.init(
      name: String(decoding: line[..<colon], as: UTF8.self).lowercased(), value: String(decoding: value, as: UTF8.self),
      line: Array(line))
  }
}

/// The rule by which a body ends (RFC 9112 §6.3).
enum BodyFraming {
  case none
  case length(Int)
  case chunked
  case untilEnd

  /// The framing of a request's body.
  init(ofRequest head: HTTPHead) throws(MessageReader.Failure) {
    self = try Self.explicit(head) ?? .none
  }

  /// The framing of the body of a reply to a request with this method.
  init(ofReply head: HTTPHead, to method: String) throws(MessageReader.Failure) {
    let hasNone =
      method == "HEAD" || head.status < 200 || head.status == 204 || head.status == 304
      || (method == "CONNECT" && head.status < 300)
    let explicit = try Self.explicit(head)
    self = hasNone ? .none : explicit ?? .untilEnd
  }

  private static func explicit(_ head: HTTPHead) throws(MessageReader.Failure) -> Self? {
    let lengths = head.values("content-length")
    let codings = head.values("transfer-encoding")
    guard lengths.isEmpty || codings.isEmpty else { throw .malformed(.lengthAndCoding) }
    if let coding = codings.first {
      guard codings.count == 1, coding.lowercased() == "chunked", !head.isVersion1_0 else {
        throw .malformed(.unsupportedCoding)
      }
      return .chunked
    }
    guard let length = lengths.first else { return nil }
    guard lengths.count == 1 else { throw .malformed(.severalLengths) }
    guard let count = HTTPHead.number(length.utf8) else { throw .malformed(.malformedLength) }
    return .length(count)
  }
}
