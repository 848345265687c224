// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyServiceTestSupport
internal import PasskeySystem
internal import PasskeyTestSupport

/// A connection to the remote control of a Firefox: JSON messages with their lengths before them, and one command at a time.
final class MarionetteConnection: Sendable {
  private struct Messages {
    let client: RawClient
    var received: [UInt8] = []
    var number = 0

    /// Waits for the next message.
    mutating func next() throws -> JSONValue {
      while true {
        if let colon = received.firstIndex(of: UInt8(ascii: ":")),
          let length = Int(String(decoding: received[..<colon], as: UTF8.self)), received.count > colon + length
        {
          defer { received.removeFirst(colon + 1 + length) }
          return try JSON.parse(Array(received[(colon + 1)...].prefix(length))[...], maximumSize: Int.max)
        }
        let bytes = client.takeBytes()
        guard !bytes.isEmpty else { throw BrowserError.ended("Firefox sends nothing more") }
        received += bytes
      }
    }
  }

  private let messages: Locked<Messages>

  /// Connects to a port of this machine. Blocks the calling thread for a moment.
  init(port: UInt16) throws {
    var messages = Messages(client: try RawClient(port: port))
    _ = try messages.next()
    self.messages = Locked(messages)
  }

  /// Sends a command, such as `WebDriver:Navigate`, and returns its result.
  @discardableResult
  func send(
    _ command: String, _ parameters: (inout JSONObjectWriter) -> Void = { _ in }
  ) async throws -> JSONValue {
    let parameters = JSON.writeObject { (object: inout JSONObjectWriter) in parameters(&object) }
    return try await waiting { [messages] in
      try messages.withLock { (messages) in
        messages.number += 1
        let text = Array("[0,\(messages.number),\(quoted(command)),".utf8) + parameters + Array("]".utf8)
        messages.client.send(Array("\(text.count):".utf8) + text)
        // The kind, the number of the command, an error or null, and the result.
        let reply = try messages.next().elements { $0 }
        guard let error = reply[2].unlessNull else { return reply[3] }
        let reason = [try error.require("error").string, try error.require("message").string]
        throw BrowserError.refused(command: command, message: reason.joined(separator: ": "))
      }
    }
  }
}
