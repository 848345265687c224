// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Runs the code of the overview and compares it with the article.
struct OverviewTests {
  @Test func `the overview's server behaves as described`() async throws {
    // [shown]
    let router = try EndpointRouter([
      EndpointRoute(.get, "/healthz") { (_) in .noContent },
      EndpointRoute(.post, "/api/greetings/{name}") { (request) in
        let body = try JSONBody(request)
        let text = try body.string("text", atMost: 200)
        return .json(["said": .string(text), "to": .string(request.parameters["name"] ?? "")])
      },
    ])
    var configuration = HTTPServerConfiguration(address: .loopback, port: 0)
    configuration.limits.bodySize = 16_384
    let server = try HTTPServer(configuration) { await router.respond(to: $0) }
    print("listening at port", server.port)
    // [until here]
    let answers = try await waiting { [port = server.port] in
      let client = try RawClient(port: port)
      client.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
      let health = client.answer()
      client.send(
        "POST /api/greetings/Ada HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
          + #"{"text":"hey"}"#)
      return [health, client.answer()]
    }
    await server.stop()
    #expect(answers[0]?.status == 204)
    #expect(answers[1]?.body == #"{"said":"hey","to":"Ada"}"#)
  }

  @Test func `the overview shows the code that runs`() throws {
    func lines(_ path: String, from first: String, to last: String) throws -> [String] {
      let lines = String(decoding: try File.bytes("\(projectFolder)/\(path)"), as: UTF8.self)
        .split(separator: "\n").map { String($0.drop { $0 == " " }) }
      let start = try #require(lines.firstIndex(of: first))
      let end = try #require(lines[start...].dropFirst().firstIndex(of: last))
      return Array(lines[(start + 1)..<end])
    }
    let shown = try lines("Sources/Service/PasskeyHTTP/PasskeyHTTP.docc/PasskeyHTTP.md", from: "```swift", to: "```")
    let run = try lines("Tests/Service/PasskeyHTTPTests/OverviewTests.swift", from: "// [shown]", to: "// [until here]")
    #expect(shown == run)
    #expect(shown.count > 10)
  }
}
