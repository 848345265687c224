// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeySystem
import WebAuthnFoundation

/// An HTTP server that accepts requests whose end is ambiguous, as its faults say. It closes each connection after one
/// response.
final class LenientServer: Sendable {
  /// The faults that need this server, because the other one refuses such requests itself.
  static let faults: Set<String> = [
    "http.smuggling-two-lengths", "http.smuggling-chunked", "http.smuggling-length-syntax",
  ]

  let port: UInt16
  private let listener: FileDescriptor
  private let faults: Faults

  init(port: UInt16, faults: Faults, _ handler: @escaping @Sendable (EndpointRequest) async -> EndpointResponse) throws
  {
    (listener, self.port) = try LoopbackSocket.listen(at: port)
    self.faults = faults
    let (listener, faults) = (listener, faults)
    let isStarted = SystemThread.start {
      while let connection = try? LoopbackSocket.accept(from: listener) {
        let isServed = SystemThread.start {
          Self.serve(connection, faults, handler)
          connection.close()
        }
        if !isServed { connection.close() }
      }
      listener.close()
    }
    guard isStarted else { throw EndpointError(.cannotStart) }
  }

  /// Stops accepting connections.
  func stop() { listener.shutDown(.both) }

  /// Reads a request and answers it. Blocks the thread.
  private static func serve(
    _ connection: FileDescriptor, _ faults: Faults,
    _ handler: @escaping @Sendable (EndpointRequest) async -> EndpointResponse
  ) {
    var received: [UInt8] = []
    var head: Head?
    while head == nil || received.count < head?.end ?? 0 {
      guard let part = try? connection.read(upTo: 65_536), !part.isEmpty else { return }
      received += part
      if head == nil { head = Head(received, faults) }
    }
    guard let head else { return }
    let answered = Locked<EndpointResponse?>(nil)
    if let request = head.request(received) {
      Task {
        let response = await handler(request)
        answered.update { $0 = response }
      }
    } else {
      answered.update { $0 = EndpointResponse(.badRequest) }
    }
    try? connection.write(serialized(answered.wait { $0 }))
  }

  private static func serialized(_ response: EndpointResponse) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status.rawValue) Answered\r\n"
    let defaults = [
      "x-content-type-options": "nosniff", "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ]
    for (name, value) in defaults where !response.headers.has(name) { text += "\(name): \(value)\r\n" }
    for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    text += "content-length: \(response.body.count)\r\nconnection: close\r\n\r\n"
    return Array(text.utf8) + response.body
  }
}

/// The request line and the header fields of a request.
private struct Head {
  private let method: String
  private let target: String
  private let headers: EndpointHeaders
  /// The number of bytes before the body.
  private let count: Int
  /// The length of the body; nil if it cannot be known.
  private let length: Int?

  /// Where the request ends.
  var end: Int { count + (length ?? 0) }

  /// Reads a head; nil if it is not complete.
  init?(_ received: [UInt8], _ faults: Faults) {
    guard let blank = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    count = blank.upperBound
    let text = String(decoding: received[..<blank.lowerBound], as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let first = (lines.popFirst() ?? "").split(separator: " ")
    guard first.count == 3 else { return nil }
    (method, target) = (String(first[0]), String(first[1]))
    var headers = EndpointHeaders()
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers.add(line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    self.headers = headers
    length = Self.length(headers, faults)
  }

  func request(_ received: [UInt8]) -> EndpointRequest? {
    guard let length, let target = try? RequestTarget(Array(target.utf8)) else { return nil }
    return EndpointRequest(
      method: EndpointMethod(rawValue: method), target: target, headers: headers,
      body: received.dropFirst(count).prefix(length), receivedAt: UnixTime.now)
  }

  private static func length(_ headers: EndpointHeaders, _ faults: Faults) -> Int? {
    let lengths = headers.values("content-length")
    if headers.has("transfer-encoding"), !faults.has("http.smuggling-chunked") { return nil }
    if lengths.count > 1, !faults.has("http.smuggling-two-lengths") { return nil }
    guard let last = lengths.last else { return 0 }
    let isPlain = last.utf8.allSatisfy { 48...57 ~= $0 } && !last.isEmpty
    guard isPlain || faults.has("http.smuggling-length-syntax") else { return nil }
    return Int(last)
  }
}
