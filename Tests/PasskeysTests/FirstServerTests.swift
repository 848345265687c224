// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import TestSupport
import Testing

/// Compares the article "Your first server" with the example `FirstServer`, and runs the example.
struct FirstServerTests {
  @Test func `the article shows the example`() throws {
    let article = "\(projectFolder)/Sources/PasskeyHTTP/PasskeyHTTP.docc/YourFirstServer.md"
    let blocks = try ShownCode.blocks(inDocument: article)
    let example = try ShownCode.lines(of: "\(projectFolder)/Examples/FirstServer/main.swift")
    #expect(blocks.count == 2)
    #expect(blocks.last == example.drop { $0.isEmpty || $0.hasPrefix("// SPDX") }.dropLast().joined(separator: "\n"))
  }

  @Test func `the example serves the endpoints and requires a session for its own route`() async throws {
    let folder = try TemporaryFolder()
    let answers = try await waiting { [path = folder.path] in
      let server = try ServerProcess("exec stdbuf -oL FirstServer 0", in: path, ready: "listening at")
      return try withExtendedLifetime(server) {
        let client = try RawClient(port: UInt16(server.port) ?? 0)
        client.send("GET /api/hello HTTP/1.1\r\nHost: h\r\n\r\n")
        let refused = client.answer()
        client.send(
          "POST /api/auth/login/options HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            + "Content-Length: 2\r\n\r\n{}")
        return [refused, client.answer()]
      }
    }
    #expect(answers[0]?.status == 401)
    #expect(answers[1]?.status == 200)
    #expect(answers[1]?.body.contains(#""rpId":"localhost""#) == true)
  }
}
