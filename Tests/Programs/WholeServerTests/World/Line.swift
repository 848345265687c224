// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport

/// A client's connection. It reconnects when the connection is lost.
final class Line: @unchecked Sendable {  // Each line is used by one task at a time.
  /// The server is gone, or closed the connection before it answered.
  struct Gone: Error {}

  private let port: UInt16
  private var client: RawClient?

  init(to port: UInt16) {
    self.port = port
  }

  /// Sends a request and waits for the answer.
  func ask(
    _ method: String, _ target: String, _ body: String? = nil, name: String? = nil, fields: [(String, String)] = []
  ) async throws -> Answer {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: api.raxx.app\r\n"
    if let name { text += "X-Request-Id: \(name)\r\n" }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    text += "\r\n" + (body ?? "")
    return try await waiting { [self, text] in Answer(try exchange(text)) }
  }

  private func exchange(_ text: String) throws -> RawClient.Answer {
    if let kept = client {
      client = nil
      if let answer = answer(text, on: kept) { return answer }
      // The server may close an idle connection while the request is under way. Only a read may be repeated.
      guard text.hasPrefix("GET ") else { throw Gone() }
    }
    guard let answer = answer(text, on: try RawClient(port: port)) else { throw Gone() }
    return answer
  }

  /// Sends a request; returns nil if the connection ends before the answer.
  private func answer(_ text: String, on connection: RawClient) -> RawClient.Answer? {
    guard connection.send(text), let answer = connection.answer() else { return nil }
    if answer.header("connection")?.lowercased() != "close" { client = connection }
    return answer
  }
}
