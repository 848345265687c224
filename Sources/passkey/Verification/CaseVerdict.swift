// SPDX-License-Identifier: Apache-2.0

internal import COSE
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
    let description: String
  }

  /// Judges a case at its own time, or now where it has none.
  init(of recorded: VerificationCase, now: Timestamp) {
    let trace = SpecTrace()
    do {
      let judge = try CaseJudge(recorded, now: now)
      outcome = try judge.judge(trace)
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
    switch error {
    case let error as CeremonyError: self.init(code: error.code.rawValue, step: error.step, description: "\(error)")
    case let error as FormatError: self.init(code: error.code.rawValue, step: nil, description: "\(error)")
    case let error as CryptoError: self.init(code: error.code.rawValue, step: nil, description: "\(error)")
    default: self.init(code: "unknown", step: nil, description: "\(error)")
    }
  }
}

/// A relying party configured as a case wants it.
private struct CaseJudge {
  private let recorded: VerificationCase
  private let relyingParty: RelyingParty
  private let time: Timestamp

  init(_ recorded: VerificationCase, now: Timestamp) throws {
    self.recorded = recorded
    time = recorded.time ?? now
    var policy = CeremonyPolicy(attestation: try Self.attestationPolicy(recorded))
    policy.userVerification = UserVerificationRequirement(rawValue: recorded.userVerification)
    policy.algorithms = recorded.algorithms ?? supportedAlgorithms.filter { $0 != .rs1 }
    if recorded.relyingParty.allowsCrossOrigin {
      policy.embedding = .allowed(topOrigins: try recorded.relyingParty.topOrigins.map { try Origin($0) })
    }
    relyingParty = try RelyingParty(
      id: RelyingPartyID(recorded.relyingParty.id), name: recorded.relyingParty.id,
      origins: recorded.relyingParty.origins.map { try Origin($0) }, policy: policy)
  }

  /// Where a case names no anchors, its path is not judged; where it names them, only they will do.
  private static func attestationPolicy(_ recorded: VerificationCase) throws -> AttestationPolicy {
    var policy = AttestationPolicy()
    if recorded.time == nil { policy.safetyNetTime = .notJudged }
    guard let anchors = recorded.trustAnchors else { return policy }
    policy.trustAnchors = TrustAnchors(forEverything: try anchors.map { try Certificate(der: $0[...]) })
    policy.acceptableTrust = [.noAttestation, .selfAttestation, .anchored]
    return policy
  }

  func judge(_ trace: SpecTrace) throws -> CaseVerdict.Outcome {
    switch recorded.ceremony {
    case .registration: .registered(try judgeRegistration(trace))
    case .authentication: .authenticated(try judgeAuthentication(trace))
    }
  }

  private var challenge: Challenge { Challenge(allowingGuessableLength: recorded.challenge[...]) }

  private func judgeRegistration(_ trace: SpecTrace) throws -> VerifiedRegistration {
    let user = UserEntity(id: try UserHandle([0]), name: "", displayName: "")
    let begun = relyingParty.beginRegistration(
      of: user, mediation: recorded.isConditional ? .conditional : .modal, extensions: recorded.extensions,
      at: time, challenge: challenge)
    return try relyingParty.finishRegistration(
      RegistrationResponse(json: recorded.response), pending: begun.pending, existing: nil, at: time, trace: trace)
  }

  private func judgeAuthentication(_ trace: SpecTrace) throws -> VerifiedAuthentication {
    guard let stored = recorded.credential else {
      throw WireError(.jsonMissingMember, at: recorded.response.startIndex)
    }
    let response = try AuthenticationResponse(json: recorded.response)
    let data = try? AuthenticatorData(parsing: response.authenticatorData)
    // Whose credential it is, and whether it may be backed up, a case need not say.
    let user = try stored.userHandle.map { try UserHandle($0) } ?? response.userHandle ?? UserHandle([0])
    let credential = StoredCredential(
      user: user,
      record: CredentialRecord(
        id: try CredentialID(stored.id), publicKey: stored.publicKey[...], signCount: stored.signCount,
        uvInitialized: true, transports: [],
        backupEligible: stored.backupEligible ?? data?.flags.contains(.backupEligible) ?? false, backupState: false))
    var extensions = recorded.extensions
    if let appID = recorded.relyingParty.appID { extensions["appid"] = .string(appID) }
    let begun = relyingParty.beginAuthentication(
      of: .knownBefore(user, credentials: [CredentialDescriptor(id: credential.record.id)]),
      extensions: extensions, at: time, challenge: challenge)
    return try relyingParty.finishAuthentication(
      response, pending: begun.pending, credential: credential, at: time, trace: trace)
  }
}
