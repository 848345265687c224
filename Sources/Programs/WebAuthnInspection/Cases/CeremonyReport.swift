// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Renders the verdict on one ceremony as text or JSON.
package enum CeremonyReport {
  /// Returns the name of a ceremony and its section of the standard.
  package static func title(of ceremony: VerificationCase.Ceremony) -> String {
    let section = ceremony == .registration ? "§7.1" : "§7.2"
    return "\(ceremony.rawValue), WebAuthn Level 3 \(section)"
  }

  /// Returns a line for each step that ran, then one with the verdict.
  package static func steps(of verdict: CaseVerdict) -> [String] {
    var lines = verdict.steps.map { "  " + "\($0)".escapedForTerminal }
    if let refusal = verdict.refusal, verdict.steps.isEmpty {
      lines.append("  " + refusal.description.escapedForTerminal)
    }
    lines.append("  " + (verdict.isVerified ? "verified" : "refused: \(verdict.refusal?.code ?? "")"))
    return lines
  }

  /// Returns a line for each fact of a verified ceremony; none for a refused one. Omits the user if `isUserKnown` is false.
  package static func facts(of verdict: CaseVerdict, isUserKnown: Bool = true) -> [String] {
    switch verdict.outcome {
    case .refused: []
    case .registered(let result):
      facts(of: result.credential, result.flags, isUserKnown) + [
        "model: \(result.aaguid)" + (result.aaguid == .zero ? " (not disclosed)" : ""),
        "counter: \(result.credential.record.signCount)",
      ] + AttestationReport.facts(of: result.attestation) + facts(of: result.extensions.malformedClientOutputs)
    case .authenticated(let result):
      facts(of: result.credential, result.flags, isUserKnown) + [
        "counter: \(description(of: result.counter))", "backup: \(description(of: result.backup))",
      ] + facts(of: result.extensions.malformedClientOutputs)
    }
  }

  private static func facts(of malformed: [String: FormatError]) -> [String] {
    malformed.sorted { $0.key < $1.key }.map { "malformed client output: \($0.key), \($0.value)".escapedForTerminal }
  }

  private static func facts(
    of credential: StoredCredential, _ flags: AuthenticatorFlags, _ isUserKnown: Bool
  ) -> [String] {
    let key = try? COSEKey(parsing: credential.record.publicKey)
    return ["credential: \(credential.record.id)"] + (isUserKnown ? ["user: \(credential.user)"] : []) + [
      "algorithm: \(key.map { "\($0.algorithm)" } ?? "unknown")", "flags: \(names(of: flags).joined(separator: " "))",
    ]
  }

  private static func names(of flags: AuthenticatorFlags) -> [String] {
    Inspector.flagNames.filter { flags.contains($0.flag) }.map(\.name)
  }

  private static func description(of counter: VerifiedAuthentication.CounterSignal) -> String {
    switch counter {
    case .notCounted: "not used by the authenticator"
    case .increased(let from, let to): "increased from \(from) to \(to)"
    case .notIncreased(let from, let to):
      "not increased (from \(from) to \(to)): the authenticator may have been cloned"
    }
  }

  private static func description(of backup: VerifiedAuthentication.BackupSignal) -> String {
    switch (backup.eligibilityChanged, backup.stateChanged) {
    case (true, _): "eligibility changed"
    case (false, true): "state changed"
    case (false, false): "unchanged"
    }
  }
}

// MARK: JSON

extension CeremonyReport {
  /// Returns the verdict as one line of JSON, on request with each step. The user is null if `isUserKnown` is false.
  package static func json(
    of verdict: CaseVerdict, _ ceremony: VerificationCase.Ceremony, withSteps: Bool, isUserKnown: Bool = true
  ) -> [UInt8] {
    let bytes = JSON.writeObject { output in
      output.write("ceremony", .string(ceremony.rawValue))
      output.write("verified", .bool(verdict.isVerified))
      switch verdict.outcome {
      case .refused(let refusal): write(refusal, into: &output)
      case .registered(let result):
        write(result.credential, result.flags, isUserKnown, into: &output)
        output.write("aaguid", .string("\(result.aaguid)"))
        AttestationReport.write(result.attestation, into: &output)
        write(result.extensions.malformedClientOutputs, into: &output)
      case .authenticated(let result):
        write(result.credential, result.flags, isUserKnown, into: &output)
        output.write("counterIsSuspicious", .bool(result.counter.isSuspicious))
        output.write("backupEligibilityChanged", .bool(result.backup.eligibilityChanged))
        write(result.extensions.malformedClientOutputs, into: &output)
      }
      if withSteps { write(verdict.steps, into: &output) }
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ malformed: [String: FormatError], into output: inout JSONObjectWriter) {
    guard !malformed.isEmpty else { return }
    output.writeArray("malformedExtensions") { list in
      for name in malformed.keys.sorted() { list.write(.string(name)) }
    }
  }

  private static func write(_ refusal: CaseVerdict.Refusal, into output: inout JSONObjectWriter) {
    output.write("code", .string(refusal.code))
    if let step = refusal.step { output.write("step", .integer(step)) }
    output.write("message", .string(refusal.description))
  }

  private static func write(
    _ credential: StoredCredential, _ flags: AuthenticatorFlags, _ isUserKnown: Bool,
    into output: inout JSONObjectWriter
  ) {
    output.write("credentialId", .base64URL(credential.record.id.bytes))
    output.write("userHandle", isUserKnown ? .base64URL(credential.user.bytes) : .null)
    if let key = try? COSEKey(parsing: credential.record.publicKey) {
      output.write("algorithm", .integer(key.algorithm.rawValue))
    }
    output.writeArray("flags") { list in
      for name in names(of: flags) { list.write(.string(name)) }
    }
    output.write("signCount", .integer(credential.record.signCount))
  }

  private static func write(_ steps: [SpecTrace.Entry], into output: inout JSONObjectWriter) {
    output.writeArray("steps") { list in
      for entry in steps {
        list.writeObject { step in
          step.write("step", .integer(entry.step))
          step.write("outcome", .string(name(of: entry.outcome)))
          step.write("title", .string(entry.title))
          guard let comparison = entry.comparison else { return }
          step.write("expected", .string(comparison.expected))
          step.write("received", .string(comparison.received))
        }
      }
    }
  }

  private static func name(of outcome: SpecTrace.Outcome) -> String {
    switch outcome {
    case .passed: "passed"
    case .failed: "failed"
    case .noted: "noted"
    }
  }
}
