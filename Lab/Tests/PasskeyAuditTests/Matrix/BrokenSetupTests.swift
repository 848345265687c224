// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeyFormats
import PasskeyProfiles
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// A broken set-up is never reported as security.
struct BrokenSetupTests {
  @Test func `a profile with a wrong route to the account passes no check of sessions`() async throws {
    let server = try FaultyServer()
    var options = AuditOptions(
      try ServerAddress(server.url), .raxx, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.profile.endpoints[.me]?.path = "/wrong"
    options.groups = [.session, .management, .stepUp, .http]
    options.erasesAccounts = false
    let report = try await Audit.run(options)
    await server.stop()
    #expect(report.findings.count >= 80)
    #expect(report.unjudgedGroups.map(\.group) == ["session", "step-up", "http", "management"])
    #expect(report.findings.filter { if case .cannotTell = $0.verdict { false } else { true } }.map(\.id) == [])
  }
}
