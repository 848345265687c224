// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeySystem
import Synchronization

/// The behavior of a server for a request.
indirect enum Fault: Sendable {
  /// The end of the connection.
  enum End: Sendable { case close, reset, stall, next }

  /// Sends these bytes.
  case reply(String, then: End)
  /// Sends these bytes one by one, with this delay between them.
  case drip(String, milliseconds: UInt32)
  /// Sends the first text, then repeats the second one forever.
  case endless(String, String)
  /// Relays the request to another server, and at most so many bytes of its reply.
  case relay(UInt16, upTo: Int, then: End)

  /// A complete reply.
  static func answer(
    _ status: String = "200 OK", _ body: String = "{}", _ fields: String = "", then end: End = .next
  ) -> Fault {
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return .reply("\(head)\(fields)\r\n\(body)", then: end)
  }
}

/// A local server that injects a given fault for each request and records the requests.
final class FaultServer: Sendable {
  /// The recorded requests and connections, in order.
  private final class Seen: Sendable {
    let requests = Locked<[String]>([])
    let connections = Atomic(0)
  }

  private let listener: ListeningPort
  private let seen = Seen()

  /// Starts to listen. `number` counts the server's requests from 0.
  init(_ answer: @escaping @Sendable (_ request: String, _ number: Int) -> Fault) throws {
    listener = try ListeningPort { [seen] (connection) in
      seen.connections.add(1, ordering: .relaxed)
      Self.serve(connection, seen, answer)
    }
  }

  /// Creates a server that accepts connections and resets them without reading.
  init(readsNothing: Void) throws {
    listener = try ListeningPort { [seen] (connection) in
      seen.connections.add(1, ordering: .relaxed)
      connection.reset()
    }
  }

  /// Creates a server with the same behavior for each request.
  convenience init(_ fault: Fault) throws {
    try self.init { (_, _) in fault }
  }

  /// The port of the server.
  var port: UInt16 { listener.port }

  /// The URL of the server.
  var address: String { "http://127.0.0.1:\(port)" }

  /// The completely received requests.
  var requests: [String] { seen.requests.withLock { $0 } }

  /// The number of accepted connections.
  var connectionCount: Int { seen.connections.load(ordering: .relaxed) }

  private static func serve(_ connection: Connection, _ seen: Seen, _ answer: (String, Int) -> Fault) {
    while let request = connection.request() {
      let number = seen.requests.withLock { (requests) in
        requests.append(request)
        return requests.count - 1
      }
      switch carryOut(answer(request, number), request, connection) {
      case .next: continue
      case .close: return
      case .reset: return connection.reset()
      case .stall:
        _ = connection.rest()
        return
      }
    }
  }

  private static func carryOut(_ fault: Fault, _ request: String, _ connection: Connection) -> Fault.End {
    switch fault {
    case .reply(let text, let end):
      connection.send(text)
      return end
    case .drip(let text, let milliseconds):
      for byte in text.utf8 {
        guard connection.send([byte]) else { break }
        usleep(milliseconds * 1_000)
      }
      return .close
    case .endless(let beginning, let part):
      connection.send(beginning)
      while connection.send(part) {}
      return .close
    case .relay(let port, let limit, let end):
      guard let other = Connection(port: port), let line = request.firstRange(of: "\r\n") else { return .close }
      let head = request[..<line.upperBound]
      other.send("\(head)Connection: close\r\n\(request[line.upperBound...])")
      connection.send(Array(other.rest().prefix(limit)))
      return end
    }
  }
}
