// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnAttestation
public import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The verdict of the relying party on a ceremony.
public struct CaseVerdict {
  /// How the ceremony ended.
  public let outcome: Outcome

  /// The numbered steps that ran, with what each of them compared.
  public let steps: [SpecTrace.Entry]

  /// How a ceremony ended.
  public enum Outcome {
    /// The registration was verified.
    case registered(VerifiedRegistration)
    /// The authentication was verified.
    case authenticated(VerifiedAuthentication)
    /// The response was refused.
    case refused(Refusal)
  }

  /// The reason why a response was refused.
  public struct Refusal: Sendable {
    /// The code of the error.
    public let code: String

    /// The number of the step that failed; nil where the response could not be parsed.
    public let step: Int?

    /// The codes of the errors that caused this one, outermost first.
    public let causes: [String]

    /// The error on one line. It can contain unescaped text from the response.
    public let description: String
  }

  /// Judges a case with a relying party that is configured as the case describes.
  ///
  /// - Parameters:
  ///   - recorded: The case.
  ///   - now: The time of the judgment if the case has none.
  public init(of recorded: VerificationCase, now: Timestamp) {
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
  public var isVerified: Bool {
    if case .refused = outcome { false } else { true }
  }

  /// The reason why the response was refused; nil where it was accepted.
  public var refusal: Refusal? {
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

extension Error {
  /// The code of the error, then those of the errors that caused it, outermost first.
  var codes: [String] {
    switch self {
    case let error as CeremonyError: [error.code.rawValue] + (error.cause?.codes ?? [])
    case let error as AttestationError:
      [error.code.rawValue] + (error.wireError?.codes ?? []) + (error.cryptoError?.codes ?? [])
    case let error as FormatError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as CryptoError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as COSEError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as WireError: [error.code.rawValue]
    default: []
    }
  }
}

extension CeremonyError.Cause {
  fileprivate var codes: [String] {
    switch self {
    case .format(let error): error.codes
    case .key(let error): error.codes
    case .crypto(let error): error.codes
    case .attestation(let error): error.codes
    }
  }
}
