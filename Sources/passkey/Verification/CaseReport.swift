// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What is printed about a case.
enum CaseReport {
  /// A case that does not behave as expected.
  static func failure(_ recorded: VerificationCase, _ comparison: CaseComparison) -> String {
    "FAIL \(recorded.id)\n" + comparison.differences.map { "  \($0.escapedForTerminal)\n" }.joined()
  }

  /// Every step, and how it ended.
  static func explanation(_ recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison) -> String
  {
    var lines = ["\(recorded.id): \(CeremonyReport.title(of: recorded.ceremony))"]
    lines += CeremonyReport.steps(of: verdict)
    if case .registered(let result) = verdict.outcome {
      lines += AttestationReport.facts(of: result.attestation).map { "  " + $0.escapedForTerminal }
    }
    lines.append(comparison.isAsExpected ? "  as expected" : "  NOT AS EXPECTED")
    lines += comparison.differences.map { "    " + $0.escapedForTerminal }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line for a program.
  static func json(_ recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison) -> String {
    let bytes = JSON.writeObject { output in
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
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  /// A case that cannot be judged here.
  static func explanation(ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm) -> String {
    "\(recorded.id): skipped: this libcrypto has no \(algorithm)\n"
  }

  /// The same for a program.
  static func json(ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm) -> String {
    let bytes = JSON.writeObject { output in
      output.write("id", .string(recorded.id))
      output.write("skipped", .string("this libcrypto has no \(algorithm)"))
    }
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }
}
