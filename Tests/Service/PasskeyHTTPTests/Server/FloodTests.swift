// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct FloodTests {
  @Test func `ten thousand connections from one address cannot take the place of others`() async throws {
    try await withServer { (server) in
      func flood(_ count: Int) async throws -> (answered: Int, mostOpen: Int) {
        try await waiting { [port = server.port] in
          var answered = 0
          var mostOpen = 0
          // As many connections at once as the descriptor limit allows, reserving those of other tests.
          for _ in 0..<(count / 200) {
            let clients = (0..<200).compactMap { (_) in try? RawClient(port: port) }
            for client in clients { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
            mostOpen = max(mostOpen, server.connectionCount)
            answered += clients.count { $0.answer()?.status == 200 }
          }
          return (answered, mostOpen)
        }
      }
      _ = try await flood(2_000)
      let before = residentKilobytes()
      let found = try await flood(10_000)
      let grown = residentKilobytes() - before
      #expect(found.mostOpen <= 64)
      #expect(found.answered >= 50 * 64 / 2)
      #expect(found.answered <= 10_000)
      if !Sanitizer.isPresent { #expect(grown < 8_192, "\(grown) KiB more") }
      #expect(await eventually { server.connectionCount == 0 && server.requestCount == 0 })
    }
  }

  @Test func `many requests leak no memory`() async throws {
    try await withServer { (server) in
      func ask(_ count: Int) async throws {
        let answered = try await waiting { [port = server.port] in
          let client = try RawClient(port: port)
          let request =
            "POST /there HTTP/1.1\r\nHost: h\r\nContent-Length: 300\r\n\r\n" + String(repeating: "x", count: 300)
          return (0..<count).count { (_) in client.send(request) && client.answer()?.status == 200 }
        }
        #expect(answered == count)
      }
      try await ask(2_000)
      let before = residentKilobytes()
      try await ask(Sanitizer.isPresent ? 2_000 : 10_000)
      let grown = residentKilobytes() - before
      if !Sanitizer.isPresent { #expect(grown < 8_192, "\(grown) KiB more") }
    }
  }

  private func residentKilobytes() -> Int {
    let lines = String(decoding: (try? File.bytes("/proc/self/status")) ?? [], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmRSS:") } ?? ""
    return Int(line.split { !$0.isNumber }.first ?? "") ?? 0
  }
}
