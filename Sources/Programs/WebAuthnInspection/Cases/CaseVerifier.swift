// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A relying party with the settings of a case, which verifies its response.
struct CaseVerifier {
  let recorded: VerificationCase
  let relyingParty: RelyingParty
  let time: UnixTime

  init(_ recorded: VerificationCase, now: UnixTime) throws {
    self.recorded = recorded
    time = recorded.time ?? now
    var policy = CeremonyPolicy(attestation: try Self.attestationPolicy(recorded))
    policy.userVerification = UserVerificationRequirement(rawValue: recorded.userVerification)
    policy.algorithms = recorded.algorithms ?? supportedAlgorithms.filter { $0 != .rs1 }
    recorded.policy.apply(to: &policy)
    if recorded.relyingParty.allowsCrossOrigin {
      policy.embedding = .allowed(topOrigins: try recorded.relyingParty.topOrigins.map { try WebOrigin($0) })
    }
    relyingParty = try RelyingParty(
      id: RelyingPartyID(recorded.relyingParty.id), name: recorded.relyingParty.id,
      origins: recorded.relyingParty.origins.map { try WebOrigin($0) }, policy: policy)
  }

  /// Creates a verifier of the same case with another relying party and time.
  init(_ other: CaseVerifier, relyingParty: RelyingParty, time: UnixTime) {
    recorded = other.recorded
    self.relyingParty = relyingParty
    self.time = time
  }

  private static func attestationPolicy(_ recorded: VerificationCase) throws -> AttestationPolicy {
    let anchors = try recorded.trustAnchors?.map { try X509Certificate(der: $0) }
    let metadata = try recorded.time.map { (time) in try recorded.metadata?.verified(at: time) } ?? nil
    var policy = AttestationPolicy(anchors: anchors, metadata: metadata, isTimeKnown: recorded.time != nil)
    policy.revocationLists = try recorded.revocationLists.map { try RevocationList(der: $0) }
    policy.knownAuthorities = try recorded.knownAuthorities.map { try X509Certificate(der: $0) }
    policy.statusLists = try recorded.statusLists.map { try AttestationStatusList(json: $0) }
    policy.rogueLists = try recorded.rogueLists.map { try RogueList(json: $0) }
    return policy
  }

  func judge(_ trace: SpecTrace) throws -> CaseVerdict.Outcome {
    switch recorded.ceremony {
    case .registration: .registered(try judgeRegistration(trace))
    case .authentication: .authenticated(try judgeAuthentication(trace))
    }
  }

  private var begun: UnixTime { recorded.begun ?? time }

  private var challenge: Challenge { Challenge(allowingGuessableLength: recorded.challenge) }

  private func judgeRegistration(_ trace: SpecTrace) throws -> VerifiedRegistration {
    try register(RegistrationResponse(json: recorded.response), trace)
  }

  /// Finishes the registration of the case with this response.
  func register(_ response: RegistrationResponse, _ trace: SpecTrace? = nil) throws -> VerifiedRegistration {
    let user = UserEntity(id: try UserHandle([0]), name: "", displayName: "")
    let ceremony = relyingParty.beginRegistration(
      of: user, mediation: recorded.isConditional ? .conditional : .modal,
      userVerification: relyingParty.policy.userVerification, extensions: recorded.extensions, at: begun,
      challenge: challenge)
    return try relyingParty.finishRegistration(
      response, pending: ceremony.pending,
      existing: recorded.isKnown ? .found(placeholderCredential(response.id, of: user.id)) : .notFound, at: time,
      trace: trace)
  }

  private func judgeAuthentication(_ trace: SpecTrace) throws -> VerifiedAuthentication {
    guard let stored = recorded.credential else {
      throw WireError(.jsonMissingMember, at: recorded.response.startIndex)
    }
    let response = try AuthenticationResponse(json: recorded.response)
    let credential = try credential(stored, for: response)
    return try authenticate(response, credential, asking: identification(of: credential), trace)
  }

  /// Finishes the authentication of the case with this response and stored credential.
  func authenticate(
    _ response: AuthenticationResponse, _ credential: StoredCredential, asking identification: UserIdentification,
    _ trace: SpecTrace? = nil
  ) throws -> VerifiedAuthentication {
    var extensions = recorded.extensions
    if let appID = recorded.relyingParty.appID { extensions["appid"] = .string(appID) }
    let ceremony = try relyingParty.beginAuthentication(
      of: identification, purpose: recorded.purpose.purpose(), extensions: extensions, at: begun, challenge: challenge)
    return try relyingParty.finishAuthentication(
      response, pending: ceremony.pending, credential: credential, purpose: recorded.finishedAs.purpose(), at: time,
      trace: trace)
  }

  /// Returns the stored credential of the case. Its user and backup eligibility are optional in a case, and default to those
  /// of the response.
  func credential(
    _ stored: VerificationCase.Credential, for response: AuthenticationResponse
  ) throws -> StoredCredential {
    let data = try? AuthenticatorData(parsing: response.authenticatorData)
    let user = try stored.userHandle.map { try UserHandle($0) } ?? response.userHandle ?? UserHandle([0])
    return StoredCredential(
      user: user,
      record: CredentialRecord(
        id: try CredentialID(stored.id), publicKey: stored.publicKey, signCount: stored.signCount,
        uvInitialized: stored.uvInitialized, transports: [],
        backupEligible: stored.backupEligible ?? data?.flags.contains(.backupEligible) ?? false, backupState: false))
  }

  func identification(of credential: StoredCredential) throws -> UserIdentification {
    switch recorded.identification {
    case .fromResponse: return .fromResponse
    case .knownBefore(let user, let credentials):
      let ids = try credentials?.map { try CredentialID($0) } ?? [credential.record.id]
      return .knownBefore(
        try user.map { try UserHandle($0) } ?? credential.user, credentials: ids.map { CredentialDescriptor(id: $0) })
    }
  }

  /// Returns a stored credential with this id and arbitrary content, for cases in which the id is already registered.
  private func placeholderCredential(_ id: CredentialID, of user: UserHandle) -> StoredCredential {
    StoredCredential(
      user: user,
      record: CredentialRecord(
        id: id, publicKey: [], signCount: 0, uvInitialized: true, transports: [], backupEligible: false,
        backupState: false))
  }
}
