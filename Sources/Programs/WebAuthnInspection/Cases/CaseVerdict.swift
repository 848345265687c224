// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnAttestation
package import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The verdict of the relying party on a ceremony.
package struct CaseVerdict {
  /// How the ceremony ended.
  package let outcome: Outcome

  /// The numbered steps that ran, with what each of them compared.
  package let steps: [SpecTrace.Entry]

  /// How a ceremony ended.
  package enum Outcome {
    /// The registration was verified.
    case registered(VerifiedRegistration)
    /// The authentication was verified.
    case authenticated(VerifiedAuthentication)
    /// The response was refused.
    case refused(Refusal)
  }

  /// The reason why a response was refused.
  package struct Refusal: Sendable {
    /// The code of the error.
    package let code: String

    /// The number of the step that failed; nil where the response could not be parsed.
    package let step: Int?

    /// The codes of the errors that caused this one, outermost first.
    package let causes: [String]

    /// The error on one line. It can contain unescaped text from the response.
    package let description: String
  }

  /// Judges a case with a relying party that is configured as the case describes.
  ///
  /// - Parameters:
  ///   - recorded: The case.
  ///   - now: The time of the judgment if the case has none.
  package init(of recorded: VerificationCase, now: UnixTime) {
    self.init { trace in try CaseVerifier(recorded, now: now).judge(trace) }
  }

  /// Runs a ceremony, and keeps its result or error and its trace.
  init(_ judge: (SpecTrace) throws -> Outcome) {
    let trace = SpecTrace()
    do {
      outcome = try judge(trace)
    } catch {
      outcome = .refused(Refusal(error))
    }
    steps = trace.entries
  }

  /// Whether the response was accepted.
  package var isVerified: Bool {
    if case .refused = outcome { false } else { true }
  }

  /// The reason why the response was refused; nil where it was accepted.
  package var refusal: Refusal? {
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
