// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeyFormats
import PasskeyProfiles
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Servers of the older kind, which answer a missing session and a sign-out with redirects.
struct RedirectTests {
  /// Returns a transport to a server whose refusals for lack of a session, and whose sign-outs, are redirects.
  private static func classic(_ server: FaultyServer) throws -> AuditTransport {
    let network = AuditTransport.network(try ServerAddress(server.url), HTTPSettings())
    return AuditTransport { (request) async throws(ClientError) in
      let reply = try await network.send(request)
      let isDemand = Handshake.isStepUpDemanded(by: reply)
      let isSignOut = request.path == "/api/auth/logout" && reply.isSuccess
      guard reply.status == 401 && !isDemand || isSignOut else { return reply }
      let location = HeaderField("location", isSignOut ? "/" : "/login")
      return ServerReply(
        status: 302, headers: reply.headers.filter { $0.name == "set-cookie" } + [location], cookies: reply.cookies)
    }
  }

  /// Returns a transport to a server that answers visitors with a success and no account.
  private static func polite(_ server: FaultyServer) throws -> AuditTransport {
    let network = AuditTransport.network(try ServerAddress(server.url), HTTPSettings())
    return AuditTransport { (request) async throws(ClientError) in
      let reply = try await network.send(request)
      guard reply.status == 401, request.method == "GET", request.path.prefix(while: { $0 != "?" }) == "/api/auth/me"
      else {
        return reply
      }
      return ServerReply(status: 200, body: Array(#"{"account":null}"#.utf8), cookies: reply.cookies)
    }
  }

  private static func failures(
    _ faults: Set<String> = [], _ transport: (FaultyServer) throws -> AuditTransport = classic
  ) async throws -> [String] {
    let server = try FaultyServer(faults: faults)
    var options = try AuditTests.options(server.url, [.session, .management])
    options.now = { UnixTime(secondsSince1970: 1_800_000_000) }
    options.skipped = ["session.expiry", "session.expiry-declared"]
    let report = await (try Audit(options, transport: transport(server))).run()
    await server.stop()
    return report.findings.filter { $0.verdict != .pass && !MatrixWorld.untold.contains($0.id) }
      .map { "\($0.id): \($0.verdict)" }
  }

  @Test func `redirects instead of refusals pass the checks of sessions`() async throws {
    #expect(try await Self.failures() == [])
  }

  @Test func `a success without an account is no session`() async throws {
    #expect(try await Self.failures([], Self.polite) == [])
  }

  @Test func `a sign-out that only redirects is not judged`() async throws {
    let failed = try await Self.failures(["session.sign-out-ends"])
    #expect(failed.count { $0.contains("answered with a redirect (302), and the session is open") } >= 1)
    #expect(failed.allSatisfy { $0.hasPrefix("session.sign-out-ends") })
  }
}
