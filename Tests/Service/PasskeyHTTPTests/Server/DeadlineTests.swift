// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Slow clients. The limits are short to keep the tests fast.
struct DeadlineTests {
  private func shortened(_ configuration: inout HTTPServerConfiguration) {
    configuration.limits.inactivity = .seconds(1)
    configuration.limits.requestDeadline = .seconds(1)
    configuration.limits.answerDeadline = .seconds(1)
    configuration.limits.sendingDeadline = .seconds(1)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: h\r\nX-Long: " + String(repeating: "x", count: 200),
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 200),
    "GET /" + String(repeating: "x", count: 200),
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 50),
  ])
  func `a request that arrives too slowly is ended`(text: String) async throws {
    try await withServer(shortened) { (server) in
      let taken = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        let begun = ContinuousClock.now
        // Ten bytes a second: never idle for a second, and twenty seconds for the whole text.
        let isEnded = text.utf8.contains { (byte) in
          guard client.send([byte]), !client.isEnded(within: 0) else { return true }
          usleep(100_000)
          return false
        }
        return isEnded ? ContinuousClock.now - begun : nil
      }
      // The limit is one second: it ends the request midway, not immediately. A slow machine only makes it later.
      #expect(try #require(taken) > .milliseconds(900))
      #expect(await eventually { server.connectionCount == 0 && server.requestCount == 0 })
    }
  }

  @Test func `an idle connection is closed`() async throws {
    try await withServer(shortened) { (server) in
      let ended = try await waiting { [port = server.port] in
        let silent = try RawClient(port: port)
        let once = try RawClient(port: port)
        once.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        guard once.answer() != nil else { return false }
        return silent.isEnded() && once.isEnded()
      }
      #expect(ended)
    }
  }

  @Test func `a handler that takes too long is cancelled, and the server answers`() async throws {
    let cancelled = Tally()
    let handler: EndpointHandler = { (request) in
      if request.target.path == "/slow" {
        do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.add() }
      }
      return await Echo.answer(request)
    }
    // Long enough for the other request on a busy machine.
    try await withServer({ $0.limits.answerDeadline = .seconds(3) }, handler: handler) { (server) in
      let answers = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        return ["/slow", "/fast"].map { (path) -> RawClient.Answer? in
          client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
          return client.answer()
        }
      }
      #expect(answers[0]?.status == 503)
      #expect(answers[0]?.body.contains(#""code":"http.answer-timed-out""#) == true)
      // The task's late answer is discarded.
      #expect(answers[1]?.body.contains(#""path":"/fast""#) == true)
      #expect(await eventually { cancelled.value == 1 })
    }
  }

  @Test func `a client that does not read its response is disconnected`() async throws {
    let asked = Tally()
    let handler: EndpointHandler = { (_) in
      asked.add()
      return EndpointResponse(.ok, contentType: "text/plain", body: [UInt8](repeating: 0x78, count: 32 << 20))
    }
    try await withServer(shortened, handler: handler) { (server) in
      let client = try await waiting { [port = server.port] in
        let client = try RawClient(port: port, receiveBuffer: 4_096)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return Unchecked(client)
      }
      #expect(await eventually { asked.value == 1 })
      #expect(await eventually { server.connectionCount == 0 && server.requestCount == 0 })
      withExtendedLifetime(client) {}
    }
  }
}
