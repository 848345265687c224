// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyProfiles
package import WebAuthnClient

/// A test of the audit itself against stand-ins for servers, without a network.
///
/// It proves that the positive controls of all groups hold at a correct server and fail at one that refuses everything, and
/// that each group finds a fault.
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
    let others =
      Check.attestationChecks + Check.credentialChecks
      + [.additionNotVerified, .registrationOptions, .authenticationOptions]
    return Set(registration + signIn + others.map(\.id))
  }()

  /// Whether all statements hold.
  package var passes: Bool { rows.allSatisfy(\.holds) }

  /// Runs the self-test.
  package static func run(now: @escaping @Sendable () -> UnixTime) async throws(ClientError) -> SelfTest {
    var rows: [Row] = []
    let correct = try await findings(of: .correct, Check.all, now)
    let judged = correct.filter(\.isJudged)
    let silent = CheckGroup.allCases.map(\.rawValue).filter { (group) in !judged.contains { $0.group == group } }
    rows.append(
      Row(
        statement: "a correct server passes the positive controls of all \(CheckGroup.allCases.count) groups, and "
          + "\(judged.count) checks",
        contradictions: judged.filter { $0.verdict != .pass }.map(\.line)
          + silent.map { "\($0): no check was judged" }))

    // The documents need no sign-in, so a server that refuses sign-ins may serve them.
    let refusing = try await findings(of: .refusesEverything, Check.all.filter { $0.group != .documents }, now)
    rows.append(
      Row(
        statement: "a server that refuses everything passes none: the positive controls fail",
        contradictions: refusing.filter(\.isJudged).map(\.line)))

    let ceremonies = (Check.registrationChecks + Check.authenticationChecks).filter { !unproven.contains($0.id) }
    let accepting = try await findings(of: .acceptsEverything, ceremonies, now).filter(\.isJudged)
    rows.append(
      Row(
        statement: "a server that accepts everything fails all \(accepting.count) checks of ceremonies",
        contradictions: accepting.filter { $0.verdict == .pass }.map(\.line)))

    for fault in StandInFault.allCases {
      let own = Check.all.filter { $0.id == fault.rawValue }
      let found = try await findings(of: .faulty(fault), own, now)
      rows.append(
        Row(
          statement: "a server with the fault \(fault.rawValue) fails the check of this name",
          contradictions: found.isEmpty ? ["no such check"] : found.filter { !$0.hasFailed }.map(\.line)))
    }
    return SelfTest(rows: rows)
  }

  private static func findings(
    of behavior: StandInServer.Behavior, _ checks: [Check], _ now: @escaping @Sendable () -> UnixTime
  ) async throws(ClientError) -> [Finding] {
    var options = AuditOptions(try ServerAddress(StandInServer.origin), .raxx, now: now)
    options.erasesAccounts = false
    return await (try Audit(options, checks: checks, transport: StandInServer(behavior).transport)).run().findings
  }
}

extension Finding {
  fileprivate var line: String { "\(id): \(verdict)" }
}
