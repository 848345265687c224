// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import Glibc
import PasskeyTestSupport
import Testing

@testable import PasskeyAudit

/// An audit of the relying party without faults by all checks. Its number decides the transport, the lifetimes and the order
/// of the checks.
///
/// It has several parts, because some checks need a server with other settings, such as a short lifetime, and the checks
/// of limits one with a limit.
struct CleanRun {
  let number: Int

  /// The numbers of the runs: by default one without TLS and one with it. `Scripts/audit clean` sets the variable.
  static var numbers: ClosedRange<Int> {
    let text = unsafe getenv("PASSKEY_AUDIT_CLEAN").map { unsafe String(cString: $0) } ?? ""
    let bounds = text.split(separator: "-").compactMap { Int($0) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return 1...2 }
    return bounds[0]...bounds[1]
  }

  private var hasTLS: Bool { number.isMultiple(of: 2) }

  /// The checks that cannot tell in this run.
  var untold: Set<String> { hasTLS ? [] : MatrixWorld.needTLS }

  /// Audits the relying party.
  func report() async throws -> AuditReport {
    var generator = PropertyRuns.generator(run: number)
    var main = MatrixWorld.Options()
    main.hasTLS = hasTLS
    main.settings.ceremonySeconds = .random(in: 60...600, using: &generator)
    main.settings.sessionSeconds = .random(in: 600...86_400, using: &generator)
    main.settings.grantSeconds = .random(in: 30...300, using: &generator)
    var limited = main
    limited.settings.failuresBeforePause = .random(in: 20...100, using: &generator)
    var parts: [(MatrixWorld.Options, [Check])] = [(limited, Check.limitChecks)]
    for (id, change) in MatrixWorld.needSettings {
      var changed = main
      change(&changed)
      parts.append((changed, Check.all.filter { $0.id == id }))
    }
    var attested = main
    attested.settings.asksForAttestation = true
    parts.append((attested, Check.attestationChecks.shuffled(using: &generator)))
    let others = MatrixWorld.needAttestation.union(MatrixWorld.needSettings.keys)
    let rest = Check.all.filter { $0.group != .limits && !others.contains($0.id) }
    parts.append((main, rest.shuffled(using: &generator)))
    return try await withThrowingTaskGroup(of: AuditReport.self) { (group) in
      for (options, checks) in parts { group.addTask { try await MatrixWorld.audit(options, checks) } }
      var whole: AuditReport?
      for try await part in group {
        guard var sum = whole else {
          whole = part
          continue
        }
        sum.findings += part.findings
        sum.leftBehind += part.leftBehind
        sum.requestCount += part.requestCount
        sum.seconds = max(sum.seconds, part.seconds)
        whole = sum
      }
      return try #require(whole)
    }
  }
}
