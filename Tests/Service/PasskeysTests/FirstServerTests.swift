// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Compares the article "Your first server" with the example `FirstServer`, and runs the example.
struct FirstServerTests {
  @Test func `the article shows the example`() throws {
    let article = "\(projectFolder)/Sources/Service/PasskeyHTTP/PasskeyHTTP.docc/YourFirstServer.md"
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

  @Test func `a port in use ends the example with one line`() async throws {
    let folder = try TemporaryFolder()
    let (port, output) = try await waiting { [path = folder.path] in
      let server = try ServerProcess("exec stdbuf -oL FirstServer 0", in: path, ready: "listening at")
      return try withExtendedLifetime(server) { (server.port, try Shell.run("FirstServer \(server.port)", in: path)) }
    }
    #expect(
      output == """
        error: cannot listen at port \(port) (http.cannot-listen: address already in use); \
        name another port: FirstServer 8081
        [1]

        """)
  }

  @Test func `SIGTERM stops the example without an error`() async throws {
    let folder = try TemporaryFolder()
    let script = """
      : >log; FirstServer 0 >log & server=$!
      until grep -q listening log; do kill -0 $server || exit; sleep 0.1; done
      kill $server; wait $server
      """
    let output = try await waiting { [path = folder.path] in try Shell.run(script, in: path) }
    #expect(output.isEmpty)
  }

  @Test func `--help and an argument that is not a port print the usage`() throws {
    let folder = try TemporaryFolder()
    let usage = "usage: FirstServer [PORT]    serve sign-in with passkeys at http://127.0.0.1:PORT (8080)\n"
    #expect(try Shell.run("FirstServer --help", in: folder.path) == usage)
    #expect(try Shell.run("FirstServer http", in: folder.path) == usage + "[2]\n")
  }
}
