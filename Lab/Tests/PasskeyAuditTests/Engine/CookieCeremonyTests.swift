// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Servers that keep the challenge in the session of a cookie, also of anonymous visitors.
struct CookieCeremonyTests {
  /// A server with one session cookie, whose session has one variable for challenges.
  private final class Server: Sendable {
    struct Session {
      var challenge: [UInt8] = []
      var purpose = ""
      var email: String?
    }

    /// Whether the session has the purpose of its challenge.
    let hasPurpose: Bool
    let keepsCookie: Bool
    private let sessions = Locked<[String: Session]>([:])
    private let stand = StandInServer(.correct).transport

    init(hasPurpose: Bool, keepsCookie: Bool = false) {
      (self.hasPurpose, self.keepsCookie) = (hasPurpose, keepsCookie)
    }

    var transport: AuditTransport {
      AuditTransport { [self] (request) async throws(ClientError) in
        let id = request.cookies?.value(of: "sid") ?? ""
        let own = sessions.withLock { $0[id] }
        let purpose = request.path.contains("/reverify/") ? "reverify" : "other"
        switch request.path {
        case "/api/auth/register/verify": return try await opened(id, request)
        case "/api/auth/login/verify", "/api/auth/reverify/verify":
          guard let own, let challenge = Self.challenge(of: request), own.challenge == challenge,
            !hasPurpose || own.purpose == purpose
          else { return Self.reply(400, "{}") }
          sessions.update { $0[id]?.challenge = [] }
          var forwarded = request
          forwarded.path = "/api/auth/login/verify"
          guard purpose == "reverify" else { return try await opened(id, forwarded) }
          let reply = try await stand.send(forwarded)
          return reply.isSuccess ? Self.reply(200, "{}", id) : reply
        case "/api/auth/me":
          guard let email = own?.email else { return Self.reply(401, "{}") }
          return Self.reply(200, #"{"account":{"email":"\#(email)"}}"#, id)
        case "/api/auth/reverify/options":
          guard let email = own?.email else { return Self.reply(401, "{}") }
          let begin = ServerRequest(
            "POST", "/api/auth/login/options", json: Array(#"{"email":"\#(email)"}"#.utf8))
          return try await begun(begin, id, "reverify")
        default: return try await begun(request, id, "other")
        }
      }
    }

    private func begun(
      _ request: ServerRequest, _ id: String, _ purpose: String
    ) async throws(ClientError) -> ServerReply {
      let reply = try await stand.send(request)
      guard let options = try? JSON.parse(reply.body, maximumSize: reply.body.count),
        let challenge = (try? options["challenge"]?.base64URL) ?? nil
      else { return reply }
      let own = id.isEmpty ? Self.newID : id
      sessions.update { (sessions) in
        sessions[own, default: Session()].challenge = challenge
        sessions[own]?.purpose = purpose
      }
      return Self.reply(200, String(decoding: reply.body, as: UTF8.self), own)
    }

    private func opened(_ id: String, _ request: ServerRequest) async throws(ClientError) -> ServerReply {
      let reply = try await stand.send(request)
      guard reply.isSuccess, let body = try? JSON.parse(reply.body, maximumSize: reply.body.count) else { return reply }
      let email = (try? body["account"]?["email"]?.string) ?? nil
      let own = keepsCookie && !id.isEmpty ? id : Self.newID
      sessions.update { $0[own] = Session(email: email) }
      return Self.reply(200, String(decoding: reply.body, as: UTF8.self), own, setsCookie: own != id)
    }

    private static var newID: String { "session-" + String(UInt64.random(in: 0 ... .max), radix: 36) }

    private static func challenge(of request: ServerRequest) -> [UInt8]? {
      guard let body = try? JSON.parse(request.body, maximumSize: request.body.count),
        let data = (try? body["credential"]?["response"]?["clientDataJSON"]?.base64URL) ?? nil,
        let client = try? JSON.parse(data, maximumSize: data.count)
      else { return nil }
      return (try? client["challenge"]?.base64URL) ?? nil
    }

    private static func reply(
      _ status: Int, _ body: String, _ id: String = "", setsCookie: Bool = true
    ) -> ServerReply {
      let line = ["localhost", "FALSE", "/", "FALSE", "0", "sid", id].joined(separator: "\t")
      let jar = id.isEmpty ? CookieJar() : CookieJar(lines: [line]) ?? CookieJar()
      var headers = [HeaderField("content-type", "application/json")]
      if setsCookie, !id.isEmpty { headers.append(HeaderField("set-cookie", "sid=\(id); HttpOnly; SameSite=Lax")) }
      return ServerReply(status: status, headers: headers, body: Array(body.utf8), cookies: jar)
    }
  }

  private static func verdicts(_ server: Server, _ ids: Set<String>) async throws -> [String: Verdict] {
    var options = AuditOptions(
      try ServerAddress(StandInServer.origin), .raxx, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.profile.sessions.deliveries = [.cookie]
    options.profile.sessions.cookie.name = "sid"
    options.erasesAccounts = false
    let checks = Check.all.filter { ids.contains($0.id) }
    let report = await (try Audit(options, checks: checks, transport: server.transport)).run()
    #expect(report.unjudgedGroups == [])
    return Dictionary(uniqueKeysWithValues: report.findings.map { ($0.id, $0.verdict) })
  }

  private static let purposes: Set<String> = [
    "state.purpose-reverify-as-sign-in", "state.purpose-sign-in-as-reverify",
  ]

  @Test func `a challenge that the session of a cookie carries for any purpose is found`() async throws {
    let verdicts = try await Self.verdicts(Server(hasPurpose: false), Self.purposes)
    for id in Self.purposes { #expect(verdicts[id] == .fail("the server accepted it with status 200"), "\(id)") }
  }

  @Test func `a session of a cookie with the purpose of its challenge passes`() async throws {
    let verdicts = try await Self.verdicts(Server(hasPurpose: true), Self.purposes)
    for id in Self.purposes { #expect(verdicts[id] == .pass, "\(id)") }
  }

  @Test func `a sign-in that keeps the cookie of an anonymous visitor is found`() async throws {
    let id = "session.fixation-anonymous"
    #expect(try await Self.verdicts(Server(hasPurpose: true), [id])[id] == .pass)
    #expect(
      try await Self.verdicts(Server(hasPurpose: true, keepsCookie: true), [id])[id]
        == .fail("the cookie of the anonymous visitor became the session"))
  }
}
