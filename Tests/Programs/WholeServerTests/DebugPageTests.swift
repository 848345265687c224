// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// `/debug` of the built server.
@Suite struct DebugPageTests {
  private static func answer(
    _ line: String, at port: UInt16, host: String = "localhost", fields: String = "", body: String = ""
  ) async throws -> RawClient.Answer? {
    try await waiting {
      let client = try RawClient(port: port)
      let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
      client.send("\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\(length)\r\n\(body)")
      return client.answer()
    }
  }

  @Test func `without the setting there is no page`() async throws {
    let place = try await ServerPlace(.sqlite())
    let server = try await ServerProcess.start(place)
    for path in ["/debug", "/debug/style.css"] {
      #expect(try await Self.answer("GET \(path)", at: server.port)?.status == 404)
    }
    #expect(try await server.stop() == 0)
  }

  @Test func `local clients without a proxy get the page, with its own policy`() async throws {
    let place = try await ServerPlace(.sqlite(), ["--debug-page", "on"])
    let server = try await ServerProcess.start(place)
    let page = try #require(try await Self.answer("GET /debug", at: server.port))
    #expect(page.status == 200 && page.body.contains("<h1>Explain a passkey artifact</h1>"))
    #expect(page.header("content-security-policy")?.contains("style-src 'self'; img-src 'self'; form-action") == true)
    #expect(page.header("cross-origin-resource-policy") == "same-origin")
    #expect(
      try await Self.answer("GET /debug/theme.css", at: server.port)?.header("content-type")
        == "text/css; charset=utf-8")
    let fields = "Origin: http://localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    let result = try await Self.answer("POST /debug", at: server.port, fields: fields, body: "artifact=a0&kind=cbor")
    #expect(result?.status == 200 && result?.body.contains("Artifact: CBOR") == true)
    // Requests through a proxy, of a page whose domain resolves to this machine, and of pages of other origins.
    let proxyFields = [
      "X-Forwarded-For: 127.0.0.1\r\n", "Forwarded: for=127.0.0.1\r\n", "Via: 1.1 proxy\r\n", "X-Real-IP:\r\n",
      "X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-For:\r\nX-Forwarded-For:\r\n",
      "x-forwarded-HOST: localhost\r\n", "Host: attacker.example\r\n",
    ]
    for field in proxyFields {
      #expect(try await Self.answer("GET /debug", at: server.port, fields: field)?.status != 200, "\(field)")
    }
    #expect(try await Self.answer("GET /debug", at: server.port, host: "attacker.example")?.status == 404)
    // The page's files, and forms, have the same audience.
    let forwarded = "X-Forwarded-For: 127.0.0.1\r\n"
    #expect(try await Self.answer("GET /debug/style.css", at: server.port, fields: forwarded)?.status == 404)
    let form = try await Self.answer("POST /debug", at: server.port, fields: forwarded + fields, body: "artifact=a0")
    #expect(form?.status == 404)
    #expect(try await Self.answer("POST /debug", at: server.port, body: "artifact=a0")?.status == 403)
    let foreign = "Origin: https://attacker.example\r\n"
    #expect(try await Self.answer("POST /debug", at: server.port, fields: foreign, body: "artifact=a0")?.status == 403)
    #expect(
      try await Self.answer("GET /debug", at: server.port, fields: "Sec-Fetch-Site: cross-site\r\n")?.status == 403)
    #expect(try await Self.answer("PUT /debug", at: server.port)?.status == 405)
    let large = "artifact=" + String(repeating: "a", count: 70_000)
    #expect(try await Self.answer("POST /debug", at: server.port, fields: fields, body: large)?.status == 413)
    #expect(try await server.stop() == 0)
  }
}
