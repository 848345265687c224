// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct BadRequestTests {
  /// Malformed requests of every kind, by name, as raw text.
  private static func kinds(_ client: Client, _ token: String) async throws -> [(name: String, text: String)] {
    func post(_ target: String, _ body: String, _ fields: String = "", type: String = "application/json") -> String {
      "POST \(target) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\(fields)"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let bearer = "Authorization: Bearer \(token)\r\n"
    let (begin, finish) = ("/api/auth/login/options", "/api/auth/login/verify")
    let used = try await client.signedIn()
    _ = try await client.line.ask("POST", finish, used).expect(200)
    let crossed = try await client.confirmed(token)
    var kinds: [(String, String)] = [
      ("wrong type", post(begin, #"{"email":"a@example.org"}"#, type: "text/plain")),
      ("oversized", post(begin, String(repeating: " ", count: 70_000))),
      ("cut off", String(post(begin, #"{"email":"a@example.org"}"#).dropLast(9))),
      ("pipelined", String(repeating: "GET /api/auth/me HTTP/1.1\r\nHost: h\r\n\r\n", count: 10)),
      ("not JSON", post(begin, "{")), ("no object", post(begin, "[]")), ("deep", post(begin, nested)),
      ("two lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
      ("length and chunks", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0"),
      ("many fields", "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 200) + "\r\n"),
      ("long target", "GET /" + String(repeating: "x", count: 3_000) + " HTTP/1.1\r\nHost: h\r\n\r\n"),
      ("no HTTP", "\u{16}\u{3}\u{1} hello\r\n\r\n"), ("nowhere", "GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n"),
      ("wrong method", "PUT \(begin) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      ("unknown token", "GET /api/auth/sessions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer nobody\r\n\r\n"),
      ("replayed", post(finish, used)), ("crossed", post(finish, crossed)),
      ("no confirmation", post("/api/auth/register/options", "{}", bearer)),
      ("another's confirmation", post("/api/auth/register/options", "{}", bearer + "Passkey-Step-Up: \(token)\r\n")),
    ]
    for (name, text) in try members(of: used) { kinds.append(("without \(name)", post(finish, text))) }
    return kinds
  }

  private static let nested = String(repeating: #"{"a":"#, count: 500)

  /// Variants of a response, each with one member replaced by a number.
  private static func members(of response: String) throws -> [(String, String)] {
    ["id", "rawId", "response", "clientDataJSON", "authenticatorData", "signature", "type"].compactMap { (name) in
      guard let range = response.firstRange(of: "\"\(name)\":") else { return nil }
      return (name, response[..<range.upperBound] + "1,\"other\":" + response[range.upperBound...])
    }
  }

  @Test func `mutated requests cause no crash, no 500 and no leak`() async throws {
    let place = try await ServerPlace(.sqlite())
    let server = try await ServerProcess.start(place)
    let client = try Client(at: server.port, Ledger())
    let token = try await client.signUp()
    let kinds = try await Self.kinds(client, token)
    #expect(kinds.count == 26)
    /// Sends each kind `count` times and returns the received statuses.
    func send(_ count: Int) async throws -> [String: Set<Int>] {
      try await waiting { [port = server.port] in
        var statuses: [String: Set<Int>] = [:]
        for _ in 0..<count {
          for (name, text) in kinds {
            let line = try RawClient(port: port)
            line.send(text)
            // The client abandons a request that is cut off.
            if name != "cut off", let answer = line.answer() { statuses[name, default: []].insert(answer.status) }
          }
        }
        return statuses
      }
    }
    let count = Sanitizer.isPresent ? 4 : Tier.choose(change: 40, merge: 150, night: 1_000)
    _ = try await send(count)
    // An allocator may add an arena at any time, but not every time. A leak per request grows in each round.
    var growths: [Int] = []
    for _ in 0..<3 {
      let before = try server.residentKilobytes
      let statuses = try await send(count)
      growths.append(try server.residentKilobytes - before)
      for (name, found) in statuses {
        #expect(found.count == 1 && found.allSatisfy { (400..<500).contains($0) }, "\(name): \(found)")
      }
      #expect(statuses.count == kinds.count - 1)
    }
    if !Sanitizer.isPresent { #expect(growths.contains { $0 < 1_536 }, "\(growths) KiB more") }
    // On new connections: the idle ones have been closed in the meantime.
    try await Line(to: server.port).ask("GET", "/readyz").expect(200)
    try await Client(client, at: server.port).signOut(token)
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }
}
