// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What our relying party makes of a recorded ceremony.
struct CaseVerdict {
  let outcome: Outcome

  /// What each numbered step found.
  let steps: [SpecTrace.Entry]

  enum Outcome {
    case registered(VerifiedRegistration)
    case authenticated(VerifiedAuthentication)
    case refused(Refusal)
  }

  /// Why a ceremony failed, before its first step or in one.
  struct Refusal {
    let code: String
    let step: Int?
    /// The codes of the errors beneath, from the top down.
    let causes: [String]
    let description: String
  }

  /// Judges a case at its own time, or now where it has none.
  init(of recorded: VerificationCase, now: Timestamp) {
    self.init { trace in try CaseJudge(recorded, now: now).judge(trace) }
  }

  /// Takes what `judge` returns, or throws, and the steps that it told the trace of.
  init(_ judge: (SpecTrace) throws -> Outcome) {
    let trace = SpecTrace()
    do {
      outcome = try judge(trace)
    } catch {
      outcome = .refused(Refusal(error))
    }
    steps = trace.entries
  }

  var isVerified: Bool {
    if case .refused = outcome { false } else { true }
  }

  var refusal: Refusal? {
    if case .refused(let refusal) = outcome { refusal } else { nil }
  }
}

extension CaseVerdict.Refusal {
  init(_ error: any Error) {
    let codes = error.codes
    self.init(
      code: codes.first ?? "unknown", step: (error as? CeremonyError)?.step, causes: Array(codes.dropFirst()),
      description: "\(error)")
  }
}
