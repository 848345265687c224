// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Servers whose accounts need an invitation, the code of a mail or an approval.
struct ActivationTests {
  /// A correct server in whose way a registration has more steps.
  private final class Server: Sendable {
    enum Step: Hashable { case invitation, mail, approval }

    struct State {
      var usedInvitations: Set<String> = []
      /// The tokens of verifications with their names.
      var unverified: [String: String] = [:]
      var unapproved: Set<String> = []
    }

    let steps: Set<Step>
    let state = Locked(State())
    private let stand = StandInServer(.correct).transport

    init(_ steps: Set<Step>) { self.steps = steps }

    var transport: AuditTransport {
      AuditTransport { [self] (request) async throws(ClientError) in
        let body = try? JSON.parse(request.body, maximumSize: request.body.count)
        let name = (try? body?["email"]?.string) ?? nil
        switch request.path {
        case "/api/auth/register/options" where steps.contains(.invitation):
          let code = (try? body?["code"]?.string) ?? nil
          let isNew = state.withLock { $0.usedInvitations.insert(code ?? "").inserted }
          guard let code, code.hasPrefix("INVITE-"), isNew else { return Self.reply(403, "{}") }
        case "/api/auth/login/options":
          let isBlocked = state.withLock {
            $0.unapproved.contains(name ?? "") || $0.unverified.values.contains(name ?? "")
          }
          if isBlocked { return Self.reply(403, #"{"title":"pending","code":"account.pending"}"#) }
        case "/api/auth/email/verify":
          let token = (try? body?["token"]?.string) ?? nil
          let code = (try? body?["code"]?.string) ?? nil
          let address = state.withLock { $0.unverified.removeValue(forKey: token ?? "") }
          guard let address, code == "CODE-\(address)" else { return Self.reply(400, "{}") }
          return account(address, status: 200)
        default: break
        }
        let reply = try await stand.send(request)
        guard request.path == "/api/auth/register/verify", reply.isSuccess, let email = Self.address(in: reply) else {
          return reply
        }
        if steps.contains(.approval) { state.update { _ = $0.unapproved.insert(email) } }
        guard steps.contains(.mail) else { return steps.contains(.approval) ? account(email, status: 202) : reply }
        let token = "verification-of-\(email)"
        state.update { $0.unverified[token] = email }
        return Self.reply(202, #"{"verification":{"token":"\#(token)"}}"#)
      }
    }

    private func account(_ email: String, status: Int) -> ServerReply {
      let isPending = steps.contains(.approval)
      return Self.reply(
        status,
        #"{"account":{"id":"1","email":"\#(email)","state":"\#(isPending ? "pending" : "active")"}}"#)
    }

    private static func address(in reply: ServerReply) -> String? {
      (try? JSON.parse(reply.body, maximumSize: reply.body.count)["account"]?["email"]?.string) ?? nil
    }

    private static func reply(_ status: Int, _ body: String) -> ServerReply {
      ServerReply(
        status: status, headers: [HeaderField("content-type", "application/json")], body: Array(body.utf8))
    }
  }

  private static func audit(
    _ server: Server, _ change: (inout AuditOptions) -> Void = { (_) in }
  ) async throws -> AuditReport {
    var options = AuditOptions(
      try ServerAddress(StandInServer.origin), .raxx, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.erasesAccounts = false
    change(&options)
    let checks = Check.all.filter {
      $0.id.hasSuffix(".challenge-other") || $0.id == "registration.credential-id-taken"
    }
    return await (try Audit(options, checks: checks, transport: server.transport)).run()
  }

  @Test func `commands take each account through its steps`() async throws {
    let server = Server([.invitation, .mail, .approval])
    let count = Locked(0)
    let report = try await Self.audit(server) { (options) in
      options.newInvitation = { (_) async throws(CannotTell) in
        count.update { $0 += 1 }
        return "INVITE-\(count.withLock { $0 })"
      }
      options.mailCode = { (address) async throws(CannotTell) in "CODE-\(address)" }
      options.approve = { (name) async throws(CannotTell) in
        server.state.update { _ = $0.unapproved.remove(name) }
      }
    }
    #expect(report.unjudgedGroups == [])
    #expect(report.findings.filter { $0.verdict != .pass }.map { "\($0.id): \($0.verdict)" } == [])
    #expect(report.findings.count == 3)
    #expect(!"\(report.findings)".contains("INVITE-"))
  }

  @Test func `without a command the group of sign-ins says what is missing`() async throws {
    for (step, reason) in [
      (Server.Step.mail, "the registration is pending: the server sent a mail with a code; --code-command gets it"),
      (.approval, "the registration is pending: 202, the account is pending; --approve-command approves accounts"),
    ] {
      let report = try await Self.audit(Server([step]))
      #expect(report.unjudgedGroups == [UnjudgedGroup(group: "authentication", reason: reason)])
      // Registrations need no activated account.
      #expect(report.findings.first { $0.id == "registration.challenge-other" }?.verdict == .pass)
    }
  }

  @Test func `an invitation that was used is refused`() async throws {
    let report = try await Self.audit(Server([.invitation])) { $0.invitation = "INVITE-1" }
    #expect(report.unjudgedGroups.map(\.group) == ["registration", "authentication"])
  }
}
