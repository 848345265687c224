// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeyFormats
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// The groups of ceremonies against a correct relying party. The tests of the matrix run them with each fault.
struct AuditTests {
  static let groups: Set<CheckGroup> = [.registration, .authentication, .state]

  static func options(_ url: String, _ groups: Set<CheckGroup> = groups) throws -> AuditOptions {
    var options = AuditOptions(
      try ServerAddress(url), .raxx, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.groups = groups
    return options
  }

  @Test func `a correct relying party passes the checks of ceremonies`() async throws {
    let server = try FaultyServer()
    let report = try await Audit.run(Self.options(server.url))
    await server.stop()
    for finding in report.findings where finding.verdict != .pass && !MatrixWorld.untold.contains(finding.id) {
      Issue.record("\(finding.id): \(finding.verdict) \(finding.exchanges.map(\.responseBody))")
    }
    #expect(report.findings.count >= 86)
    #expect(report.leftBehind == [])
  }
}
