// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyAudit

/// The checks that the project's own server does not pass, by ID, with a part of the verdict.
/// `Lab/Documentation/Audit/Findings.md` explains the entries.
enum OwnServerFindings {
  /// Returns the expected findings of a server among those of an audit.
  static func of(_ kind: OwnServer.Kind, in findings: [Finding]) -> [String: String] {
    let own: [[String: String]] =
      switch kind {
      case .raxx, .raptor: [addresses, noRenewal]
      case .yapt: [noRenewal, yapt]
      case .aiday: [aiday]
      }
    var known = own.reduce(lifetimes.merging(settings) { $1 }) { (known, more) in known.merging(more) { $1 } }
    for finding in findings where known[finding.id] == nil {
      if MatrixWorld.needAttestation.contains(finding.id) { known[finding.id] = "ask for no attestation" }
      if kind == .aiday, finding.verdict == .cannotTell("the profile has no cookies") {
        known[finding.id] = "no cookies"
      }
      if kind == .yapt, finding.group == "step-up", finding.verdict != .pass {
        known[finding.id] = "the profile adds passkeys without a confirmation"
      }
    }
    let ids = Set(findings.map(\.id))
    return known.filter { ids.contains($0.key) }
  }

  /// Lifetimes of minutes, for which the audit does not wait without `--patience`.
  private static let lifetimes = [
    "state.expiry": "s waits for it", "session.expiry": "--patience", "session.idle": "",
    "step-up.expired": "--patience",
  ]

  /// Settings that the server does not have, and codes that the audit does not get.
  private static let settings = [
    "registration.attachment": "ask for no attachment", "registration.resident-key": "do not ask for `credProps`",
    "state.recovery-replay": "--code-command", "state.invitation-replay": "--invitation-command",
  ]

  /// Without verification by mail, a registration has to say that an address is taken.
  private static let addresses = ["enumeration.registration-verify": "sign-up.refused"]

  /// Sessions end after 15 minutes or 30 days, and are not renewed.
  private static let noRenewal = [
    "session.sign-out-ends-refresh": "no refresh token", "session.refresh-rotates": "no refresh token",
    "session.refresh-reuse-ends-session": "no refresh token", "session.refresh-as-access": "no refresh token",
    "session.access-as-refresh": "no refresh token", "step-up.after-refresh": "no refresh token",
  ]

  private static let yapt = [
    // A counter that went back and a change of BE are in the audit trail only.
    "authentication.counter-back": "does not report it", "authentication.backup-eligibility": "",
    // Responses name no end of the session, which lasts 30 days.
    "session.expiry-declared": "does not say when the session ends",
    "session.expiry": "does not say when the session ends",
    // The name of the cookie is part of the contract.
    "session.cookie-prefix": "has no prefix __Host-",
    // Accounts have user names and no address.
    "enumeration.registration-options": "accounts have user names",
    "enumeration.registration-verify": "accounts have user names",
    "enumeration.recovery": "request-recovery",
    // Errors are `{"error": "…"}`.
    "http.problem-details": "errors are no problem details",
    // Passkeys are added and deleted without a confirmation; accounts are erased with one.
    "step-up.add-credential": "succeeded without a confirmation",
    "step-up.delete-credential": "succeeded without a confirmation",
    "step-up.expired": "the profile adds passkeys without a confirmation",
    "step-up.after-refresh": "the profile adds passkeys without a confirmation",
  ]

  private static let aiday = [
    // Sessions are bearer tokens only.
    "state.binding": "sets no cookie",
    // Accounts have user names.
    "enumeration.registration-options": "accounts have user names",
    "enumeration.registration-verify": "accounts have user names",
    // Errors are `{"message": "…"}`.
    "http.problem-details": "errors are no problem details",
  ]
}
