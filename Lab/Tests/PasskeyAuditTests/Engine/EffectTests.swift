// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeyFormats
import PasskeyProfiles
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Successes without an effect, which are no acceptances.
struct EffectTests {
  /// Returns the verdicts on a correct server, whose refusals at some paths are answered as successes.
  private static func verdicts(
    _ checks: [Check], answering body: String, at paths: Set<String>
  ) async throws -> [Verdict] {
    let stand = StandInServer(.correct).transport
    var options = AuditOptions(
      try ServerAddress(StandInServer.origin), .raxx, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.erasesAccounts = false
    let transport = AuditTransport { (request) async throws(ClientError) in
      let reply = try await stand.send(request)
      guard !reply.isSuccess, paths.contains(request.path) else { return reply }
      return ServerReply(
        status: 202, headers: [HeaderField("content-type", "application/json")], body: Array(body.utf8))
    }
    return await (try Audit(options, checks: checks, transport: transport)).run().findings.map(\.verdict)
  }

  private static let checkYourMail = #"{"status":"pending","message":"check your mail"}"#

  @Test func `a registration that is answered with a promise is not accepted`() async throws {
    let checks = Check.registrationChecks.filter {
      $0.id.hasPrefix("registration.challenge-") || $0.id.hasPrefix("registration.key-")
    }
    let verdicts = try await Self.verdicts(checks, answering: Self.checkYourMail, at: ["/api/auth/register/verify"])
    #expect(verdicts.count >= 8)
    let reason = "the server answered 202, but opened no session, and the passkey does not sign in"
    #expect(Set(verdicts) == [.cannotTell(reason)])
  }

  @Test func `a renaming that is answered with a success and does nothing passes`() async throws {
    let server = try FaultyServer()
    let network = AuditTransport.network(try ServerAddress(server.url), HTTPSettings())
    let transport = AuditTransport { (request) async throws(ClientError) in
      let reply = try await network.send(request)
      return request.method == "PATCH" && !reply.isSuccess ? ServerReply(status: 204, cookies: reply.cookies) : reply
    }
    let options = try AuditTests.options(server.url, [.management])
    let checks = Check.all.filter { $0.id == "management.rename-foreign" }
    let report = await (try Audit(options, checks: checks, transport: transport)).run()
    await server.stop()
    #expect(report.findings.map(\.verdict) == [.pass])
  }

  @Test func `a token that opens no session is no sign-in`() async throws {
    let checks = Check.authenticationChecks.filter { $0.id.contains("signature-") }
    let verdicts = try await Self.verdicts(
      checks, answering: #"{"token":"for-the-next-step"}"#, at: ["/api/auth/login/verify"])
    #expect(verdicts.count >= 4)
    #expect(Set(verdicts) == [.cannotTell("the server answered 202, but opened no session")])
  }
}
