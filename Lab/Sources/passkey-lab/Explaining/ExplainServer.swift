// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnInspection

/// Serves the page that explains artifacts to the browser of one user on this machine.
///
/// Limits:
///   connections  32    [browsers open up to six, some of them without sending a request]
///   time         60 s  [for a request to arrive and for a response to be received; a page on this machine takes some ms]
struct ExplainServer: Sendable {
  private let listener: FileDescriptor
  private let port: UInt16
  private let site: ExplanationSite
  private let connectionCount = Locked(0)
  /// Serializes explanations, which can take much memory.
  private let explaining = Locked(())

  private static let maximumConnectionCount = 32
  private static let timeLimit = Duration.seconds(60)

  /// Listens at a port, or at a free one if it is 0.
  init(port: UInt16) throws {
    // 128 bits: another user of this machine can connect to the port, but cannot guess the path.
    let secret = Base64URL.encode(try RandomSource.system.bytes(16))
    site = ExplanationSite(path: "/\(secret)")
    (listener, self.port) = try LoopbackSocket.listen(at: port)
  }

  /// The address of the page.
  var address: String { "http://127.0.0.1:\(port)\(site.path)" }

  /// Serves until the process ends. Each connection has a thread of its own and carries one request.
  func serve() throws(SystemError) -> Never {
    while true {
      guard let connection = try nextConnection() else { continue }
      guard begin() else {
        connection.close()
        continue
      }
      let isStarted = SystemThread.start {
        answer(connection)
        end(connection)
      }
      if !isStarted { end(connection) }
    }
  }

  /// Returns the next connection; nil if the client has aborted it.
  private func nextConnection() throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return try LoopbackSocket.accept(from: listener)
    } catch {
      if error == .connectionAborted { return nil }
      throw error
    }
  }

  /// Counts a connection, unless the maximum is open.
  private func begin() -> Bool {
    connectionCount.withLock { (count) in
      guard count < Self.maximumConnectionCount else { return false }
      count += 1
      return true
    }
  }

  private func end(_ connection: FileDescriptor) {
    connection.close()
    connectionCount.withLock { (count) in count -= 1 }
  }

  private func answer(_ connection: FileDescriptor) {
    let response: ExplanationSite.Response
    do throws(LocalStatus) {
      guard let request = try LocalRequest(from: connection, until: .now + Self.timeLimit) else { return }
      response = self.response(to: request)
    } catch {
      response = ExplanationSite.Response(error.number, error.reason)
    }
    Self.send(LocalResponse.bytes(response), over: connection, until: .now + Self.timeLimit)
    connection.shutDown(.sending)
    // Closing with unread bytes would reset the connection before the browser has read the response.
    let deadline = ContinuousClock.now + .seconds(1)
    while connection.wait(for: .reading, until: deadline), ContinuousClock.now < deadline,
      let rest = try? connection.receive(upTo: 1 << 16), !rest.isEmpty
    {}
  }

  private func response(to request: LocalRequest) -> ExplanationSite.Response {
    // A page whose domain resolves to this machine (DNS rebinding) sends its own name.
    guard let host = request.host, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
      return ExplanationSite.Response(421, "not the name of this server")
    }
    return explaining.withLock { (_) in site.respond(to: request.forSite, at: Clock.now) }
  }

  /// Sends a message. Gives up if the client has left or does not read.
  private static func send(_ bytes: [UInt8], over connection: FileDescriptor, until deadline: ContinuousClock.Instant) {
    var rest = bytes[...]
    while !rest.isEmpty, connection.wait(for: .writing, until: deadline),
      let count = try? connection.send([UInt8](rest.prefix(1 << 16))), ContinuousClock.now < deadline
    {
      rest = rest.dropFirst(count)
    }
  }
}

/// A response as HTTP/1.1.
private enum LocalResponse {
  static func bytes(_ response: ExplanationSite.Response) -> [UInt8] {
    let fields =
      [("content-type", response.type), ("content-length", "\(response.body.count)"), ("connection", "close")]
      + ExplanationSite.headers
    let head = fields.map { (name, value) in "\(name): \(value)\r\n" }.joined()
    return [UInt8]("HTTP/1.1 \(response.status) \(reason(response.status))\r\n\(head)\r\n".utf8) + response.body
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    default: "Error"
    }
  }
}
