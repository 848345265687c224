// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The flag checks that both ceremonies share. The caller passes the step number and the error code.
struct FlagChecks {
  private let flags: AuthenticatorFlags
  private let steps: StepRecorder

  init(_ flags: AuthenticatorFlags, _ steps: StepRecorder) {
    self.flags = flags
    self.steps = steps
  }

  func requireUserPresence(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      flags.contains(.userPresent), step, code, "the user was present",
      .init("UP set", flags.contains(.userPresent) ? "UP set" : "UP clear"))
  }

  func requireUserVerification(_ isRequired: Bool, _ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    guard isRequired else { return steps.note(step, "user verification is not required") }
    try steps.require(
      flags.contains(.userVerified), step, code, "the user was verified",
      .init("UV set", flags.contains(.userVerified) ? "UV set" : "UV clear"))
  }

  /// §6.1.3: a credential that is backed up must be eligible for backup.
  func requireConsistentBackup(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      flags.contains(.backupEligible) || !flags.contains(.backedUp), step, code,
      "a backed-up credential is eligible for backup",
      .init(
        "BS clear or BE set",
        "BS \(flags.contains(.backedUp) ? "set" : "clear"), BE \(flags.contains(.backupEligible) ? "set" : "clear")"))
  }
}
