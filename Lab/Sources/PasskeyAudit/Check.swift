// SPDX-License-Identifier: Apache-2.0

/// One statement about a live server that an audit judges.
package struct Check: Sendable {
  /// The name, `group.kebab-case`, which never changes.
  package let id: String

  /// The behavior of a server that passes, as a statement: "rejects a response to another challenge".
  package let title: String

  /// The sections of standards from which the check follows, such as `WebAuthn §7.2 step 11`.
  package let references: [String]

  /// The severity of a failure.
  package let severity: Severity

  /// The gain of an attacker from the failure, in a sentence or two.
  package let rationale: String

  /// The change with which a server passes.
  package let advice: String

  let run: @Sendable (AuditWorld) async throws -> Verdict
}

extension Check {
  /// The group, which is the first part of the name.
  package var group: CheckGroup { CheckGroup(rawValue: String(id.prefix { $0 != "." })) ?? .registration }
}

extension Check {
  /// The numbers of the published advisories whose defect the check finds.
  package var advisories: [String] { Advisory.all.filter { $0.checks.contains(id) }.map(\.id) }
}

/// A set of checks with a positive control of its own.
package enum CheckGroup: String, CaseIterable, Sendable {
  case registration, authentication, state, session, enumeration
  case stepUp = "step-up"
  case http, documents, management
  /// The last group, because a limited client can do nothing else.
  case limits
}

/// The severity of a failed check.
package enum Severity: String, CaseIterable, Comparable, Sendable {
  case low, medium, high, critical

  package static func < (one: Severity, other: Severity) -> Bool {
    allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
  }
}

/// The outcome of a check.
package enum Verdict: Hashable, Sendable {
  /// The server behaves as the title says.
  case pass
  /// The server does not. The text says what it did.
  case fail(String)
  /// The check could not judge the server, for this reason.
  case cannotTell(String)
}
