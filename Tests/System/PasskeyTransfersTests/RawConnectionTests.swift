// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeyTransfers

struct RawConnectionTests {
  /// A server for one connection, which gives what it received.
  private final class Peer: Sendable {
    let url: String
    let received = Locked<[UInt8]?>(nil)

    /// Serves one connection: reads `count` bytes, sends `answer`, and closes unless `staysOpen`.
    init(reading count: Int, answer: [UInt8], staysOpen: Bool = false) throws {
      let (listener, port) = try LoopbackSocket.listen(at: 0)
      url = "http://127.0.0.1:\(port)"
      onOwnThread { [received] in
        defer { listener.close() }
        guard let connection = try? LoopbackSocket.accept(from: listener) else { return received.update { $0 = [] } }
        var bytes: [UInt8] = []
        while bytes.count < count, let part = try? connection.read(upTo: 65_536), !part.isEmpty { bytes += part }
        try? connection.write(answer)
        if staysOpen { while let part = try? connection.read(upTo: 4_096), !part.isEmpty { bytes += part } }
        connection.close()
        received.update { [bytes] in $0 = bytes }
      }
    }
  }

  private static func exchange(
    _ connection: RawConnection, _ bytes: [UInt8], limit: Int = 65_536,
    until isComplete: @escaping @Sendable ([UInt8]) -> Bool = { (_) in false }
  ) async throws -> RawConnection.Outcome {
    try await waiting { connection.exchange(bytes, receivingUpTo: limit, until: isComplete) }
  }

  @Test func `malformed bytes are sent as they are, and the response is read to its end`() async throws {
    let request = Array("GET  /\u{1}\r\nHost\r\n\r\n".utf8) + [0xff, 0]
    let peer = try Peer(reading: request.count, answer: Array("no HTTP".utf8))
    #expect(try await Self.exchange(RawConnection(to: peer.url), request) == .received(Array("no HTTP".utf8)))
    #expect(try await waiting { peer.received.wait { $0 } } == request)
  }

  @Test func `a complete response ends the exchange although the server keeps the connection`() async throws {
    var connection = RawConnection(to: try Peer(reading: 1, answer: Array("done".utf8), staysOpen: true).url)
    connection.silence = .seconds(HangGuard.seconds)
    let outcome = try await Self.exchange(connection, [1]) { $0 == Array("done".utf8) }
    #expect(outcome == .received(Array("done".utf8)))
  }

  @Test func `a silent server ends the exchange, and so does one that closes`() async throws {
    var connection = RawConnection(to: try Peer(reading: 1, answer: [], staysOpen: true).url)
    connection.silence = .milliseconds(50)
    #expect(try await Self.exchange(connection, [1]) == .received([]))
    #expect(try await Self.exchange(RawConnection(to: try Peer(reading: 1, answer: []).url), [1]) == .received([]))
  }

  @Test func `a long response is cut`() async throws {
    let peer = try Peer(reading: 1, answer: [UInt8](repeating: 7, count: 1 << 20))
    guard case .received(let bytes) = try await Self.exchange(RawConnection(to: peer.url), [1], limit: 20_000) else {
      Issue.record("no response")
      return
    }
    #expect(20_000..<20_000 + 16_384 ~= bytes.count)
  }

  @Test func `an unreachable server and an invalid address have a reason`() async throws {
    let (listener, port) = try LoopbackSocket.listen(at: 0)
    listener.close()
    guard case .unreachable = try await Self.exchange(RawConnection(to: "http://127.0.0.1:\(port)"), [1]) else {
      Issue.record("the closed port was reached")
      return
    }
    for url in ["ftp://127.0.0.1", "http://"] {
      guard case .failed(let reason) = try await Self.exchange(RawConnection(to: url), [1]) else {
        Issue.record("\(url) was reached")
        continue
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test func `a server without TLS fails the handshake`() async throws {
    let peer = try Peer(reading: 1, answer: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
    let connection = RawConnection(to: peer.url.replacing("http:", with: "https:"))
    #expect(try await Self.exchange(connection, [1]) == .handshakeFailed)
  }
}
