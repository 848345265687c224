// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnInspection

/// A request of a browser on this machine.
///
/// Limits:
///   head      16 KiB  [browsers send about 1 KiB; cookies of other programs at this address may add some]
///   body      2 MiB   [an artifact of 256 KiB and two smaller ones, each byte encoded as three]
struct LocalRequest {
  private let method: String
  private let path: String
  private let body: Bytes
  private let fields: [String: String]

  private static let maximumHeadByteCount = 1 << 14
  private static let maximumBodyByteCount = 2 << 20
  private static let headEnd = [UInt8]("\r\n\r\n".utf8)

  /// The name and port by which the client reached the server.
  var host: String? { fields["host"] }

  var forSite: ExplanationSite.Request {
    ExplanationSite.Request(
      method: method, path: path, host: host, origin: fields["origin"], fetchSite: fields["sec-fetch-site"], body: body)
  }

  /// Reads one request; nil if the connection ends before it, or at `deadline`.
  ///
  /// - Throws: The status for a malformed or oversized request.
  init?(from connection: FileDescriptor, until deadline: ContinuousClock.Instant) throws(LocalStatus) {
    func receive() -> [UInt8]? {
      guard connection.wait(for: .reading, until: deadline), ContinuousClock.now < deadline,
        let bytes = try? connection.receive(upTo: 1 << 16), !bytes.isEmpty
      else { return nil }
      return bytes
    }
    var received: [UInt8] = []
    var end: Int?
    while end == nil {
      guard received.count <= Self.maximumHeadByteCount else { throw LocalStatus(431, "head too large") }
      guard let bytes = receive() else { return nil }
      received += bytes
      end = received.prefix(Self.maximumHeadByteCount + Self.headEnd.count).firstRange(of: Self.headEnd)?.lowerBound
    }
    guard let end else { return nil }
    let lines = received[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first else { return nil }
    (method, path) = try Self.requestLine(Self.text(first))
    fields = try Self.fields(lines.dropFirst())
    let count = try Self.bodyByteCount(fields)
    var body = received[(end + Self.headEnd.count)...]
    while body.count < count {
      guard let bytes = receive() else { return nil }
      body += bytes
    }
    self.body = Bytes(body.prefix(count))
  }

  private static func requestLine(_ line: String) throws(LocalStatus) -> (method: String, path: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw LocalStatus(400, "malformed request line")
    }
    return (String(words[0]), String(words[1]))
  }

  private static func fields(_ lines: some Sequence<ArraySlice<UInt8>>) throws(LocalStatus) -> [String: String] {
    var fields: [String: String] = [:]
    for line in lines {
      let parts = try text(line).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.contains(where: \.isWhitespace) else {
        throw LocalStatus(400, "malformed header field")
      }
      let value = parts[1].drop { (character) in character == " " || character == "\t" }
      guard fields.updateValue(String(value), forKey: name.lowercased()) == nil else {
        throw LocalStatus(400, "repeated header field")
      }
    }
    return fields
  }

  private static func bodyByteCount(_ fields: [String: String]) throws(LocalStatus) -> Int {
    guard fields["transfer-encoding"] == nil else { throw LocalStatus(411, "the body needs a Content-Length") }
    let text = fields["content-length"] ?? "0"
    guard !text.isEmpty, text.utf8.allSatisfy({ (digit) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit }) else {
      throw LocalStatus(400, "malformed Content-Length")
    }
    guard let count = Int(text), count <= maximumBodyByteCount else { throw LocalStatus(413, "body too large") }
    return count
  }

  /// Returns a line of the head without its carriage return. It must be ASCII without control characters.
  private static func text(_ line: ArraySlice<UInt8>) throws(LocalStatus) -> String {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard line.allSatisfy({ (byte) in 0x20..<0x7f ~= byte || byte == UInt8(ascii: "\t") }) else {
      throw LocalStatus(400, "malformed head")
    }
    return String(decoding: line, as: UTF8.self)
  }
}

/// A status other than 200, with its reason.
struct LocalStatus: Error {
  let number: Int
  let reason: String

  init(_ number: Int, _ reason: String) {
    self.number = number
    self.reason = reason
  }
}
