// SPDX-License-Identifier: Apache-2.0

internal import ServiceProfiles
package import WebAuthnClient
package import WireFormats

/// A test of the audit itself against stand-ins for servers, without a network.
///
/// It proves that the positive controls and the checks of ceremonies distinguish a correct server from one that refuses
/// everything and from one that accepts everything.
package struct SelfTest: Hashable, Sendable {
  /// One statement about the audit.
  package struct Row: Hashable, Sendable {
    package let statement: String
    /// The findings that contradict the statement.
    package let contradictions: [String]

    package var holds: Bool { contradictions.isEmpty }
  }

  package let rows: [Row]

  /// The checks that a server may pass whatever it accepts, and those that need endpoints or options which the stand-ins
  /// do not have.
  private static let unproven: Set<String> = {
    let registration = CeremonyFault.registrationMembers.filter(\.1.mayBeAccepted).map { "registration.\($0.1.name)" }
    let signIn = CeremonyFault.authenticationMembers.filter(\.1.mayBeAccepted).map { "authentication.\($0.1.name)" }
    let others = Check.attestationChecks + Check.credentialChecks + [.additionNotVerified]
    return Set(registration + signIn + others.map(\.id))
  }()

  /// Whether all statements hold.
  package var passes: Bool { rows.allSatisfy(\.holds) }

  /// Runs the self-test.
  package static func run(now: @escaping @Sendable () -> Timestamp) async throws(ClientError) -> SelfTest {
    let checks = (Check.registrationChecks + Check.authenticationChecks).filter { !unproven.contains($0.id) }
    var rows: [Row] = []
    for behavior in StandInServer.Behavior.allCases {
      let stand = StandInServer(behavior)
      var options = AuditOptions(try ServerAddress(StandInServer.origin), .raxx, now: now)
      options.erasesAccounts = false
      let audit = try Audit(options, checks: checks, transport: stand.transport)
      let report = await audit.run()
      rows.append(
        Row(
          statement: behavior.statement(count: checks.count),
          contradictions: report.findings.filter { !behavior.expects($0.verdict) }.map { "\($0.id): \($0.verdict)" }))
    }
    return SelfTest(rows: rows)
  }
}

extension StandInServer.Behavior {
  fileprivate func statement(count: Int) -> String {
    switch self {
    case .correct: "a correct server passes all \(count) checks of ceremonies"
    case .refusesEverything: "a server that refuses everything passes none: the positive controls fail"
    case .acceptsEverything: "a server that accepts everything fails all \(count) checks"
    }
  }

  fileprivate func expects(_ verdict: Verdict) -> Bool {
    switch (self, verdict) {
    case (.correct, .pass), (.refusesEverything, .cannotTell), (.acceptsEverything, .fail): true
    default: false
    }
  }
}
