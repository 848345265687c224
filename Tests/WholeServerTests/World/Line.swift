// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import TestSupport

/// A client's connection, which is made anew where it is gone.
final class Line: @unchecked Sendable {  // Whoever has it asks one thing at a time.
  /// The server is gone, or went before it answered.
  struct Gone: Error {}

  private let port: UInt16
  private var client: RawClient?

  init(to port: UInt16) {
    self.port = port
  }

  /// Asks, and waits for the answer.
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
    let current: RawClient
    if let client { current = client } else { current = try RawClient(port: port) }
    client = nil
    guard current.send(text), let answer = current.answer() else { throw Gone() }
    if answer.header("connection")?.lowercased() != "close" { client = current }
    return answer
  }
}
