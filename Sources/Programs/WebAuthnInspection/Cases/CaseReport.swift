// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Renders the verdict on a case as text or JSON.
package enum CaseReport {
  /// Returns the id of a case that does not behave as expected, and a line for each difference.
  package static func failure(_ recorded: VerificationCase, _ comparison: CaseComparison) -> String {
    "FAIL \(recorded.id)\n" + comparison.differences.map { "  \($0.escapedForTerminal)\n" }.joined()
  }

  /// Returns a line for each step, then whether the verdict is as expected.
  package static func explanation(
    _ recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison
  ) -> String {
    var lines = ["\(recorded.id): \(CeremonyReport.title(of: recorded.ceremony))"]
    lines += CeremonyReport.steps(of: verdict)
    if case .registered(let result) = verdict.outcome {
      lines += AttestationReport.facts(of: result.attestation).map { "  " + $0.escapedForTerminal }
    }
    lines.append(comparison.isAsExpected ? "  as expected" : "  NOT as expected")
    lines += comparison.differences.map { "    " + $0.escapedForTerminal }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the verdict as one line of JSON.
  package static func json(
    _ recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison
  ) -> String {
    let bytes = JSON.writeObject { output in write(recorded, verdict, comparison, into: &output) }
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  /// Writes the members of the verdict.
  package static func write(
    _ recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison,
    into output: inout JSONObjectWriter
  ) {
    output.write("id", .string(recorded.id))
    output.write("verified", .bool(verdict.isVerified))
    output.write("asExpected", .bool(comparison.isAsExpected))
    if let refusal = verdict.refusal {
      output.write("code", .string(refusal.code))
      if let step = refusal.step { output.write("step", .integer(step)) }
      if !refusal.causes.isEmpty {
        output.writeArray("causes") { causes in for code in refusal.causes { causes.write(.string(code)) } }
      }
    }
    if case .registered(let result) = verdict.outcome {
      AttestationReport.write(result.attestation, into: &output)
    }
  }

  /// Returns a line that says why a case was not judged.
  package static func explanation(ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm) -> String {
    "\(recorded.id): skipped: this libcrypto does not have \(algorithm)\n"
  }

  /// Returns one line of JSON that says why a case was not judged.
  package static func json(ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm) -> String {
    let bytes = JSON.writeObject { output in
      output.write("id", .string(recorded.id))
      output.write("skipped", .string("this libcrypto does not have \(algorithm)"))
    }
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }
}
