// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A ceremony opened from the challenge of a response, and the passkey stored under the response's credential ID.
struct ResumedCeremony {
  /// The identifier to spend.
  let id: CeremonyID

  /// The salt of the key that opened the challenge.
  let salt: ChallengeSalt

  /// The opened challenge.
  let unsealed: UnsealedCeremony

  /// The binding that the response must match: the session's for a ceremony in a session, otherwise the one that the
  /// browser presents.
  let binding: CeremonyBinding?

  let passkey: Passkey?
  let account: Account?

  /// Returns the audit subject of a refused response: the credential if it is registered, otherwise a hash of its ID.
  /// An unknown ID is attacker-controlled and up to 1,000 bytes long, and the trail keeps subjects forever.
  func subject(_ response: CredentialID) -> AuditSubject {
    passkey == nil
      ? .other(kind: "unknown-credential", name: "\(TokenDigest(of: response.bytes[...]))") : .credential(response)
  }
}

/// The purpose of an authentication. A challenge opens for no other.
enum CeremonyUse {
  case signIn(CeremonyBinding?)
  case reverification(AccountSessionID)
  case stepUp(AuthenticatedSession)

  var label: String {
    switch self {
    case .signIn: "sign-in"
    case .reverification: "reverification"
    case .stepUp: "step-up"
    }
  }

  /// The binding that the response must match.
  var binding: CeremonyBinding? {
    switch self {
    case .signIn(let binding): binding
    case .reverification(let session): CeremonyBinding(session.bytes)
    case .stepUp(let session): CeremonyBinding(session.session.id.bytes)
    }
  }

  fileprivate var stepUp: StepUpParties? {
    guard case .stepUp(let session) = self else { return nil }
    return StepUpParties(session.account.handle, session: session.session.id.bytes)
  }

  fileprivate var codes: CeremonyCodes {
    switch self {
    case .signIn: .signIn
    case .reverification: .reverification
    case .stepUp: .stepUp
    }
  }
}

extension AuthService {
  /// Begins an authentication that is sealed into its challenge.
  func begin(
    _ user: UserIdentification, for use: CeremonyUse, purpose: AuthenticationPurpose = .signIn,
    userVerification: UserVerificationRequirement? = nil, lifetime: Duration? = nil, hints: [PublicKeyCredentialHint],
    in context: CallContext
  ) async throws(ServiceError) -> RequestOptions {
    let sealer = try await sealer(at: context.time).sealer
    return try mapCeremonyErrors(to: use.codes.failed) { () throws(CeremonyError) in
      let begun = try relyingParty.beginAuthentication(
        of: user, purpose: purpose, userVerification: userVerification, lifetime: lifetime, hints: hints,
        binding: use.binding, at: context.time, random: random)
      return try sealer.seal(begun, for: use.label)
    }
  }

  /// Opens the authentication that a response answers. An expired or spent ceremony counts as unknown.
  func resume(
    _ received: ReceivedAuthentication, for use: CeremonyUse, in context: CallContext
  ) async throws(ServiceError) -> ResumedCeremony {
    let challenge = try challenge(in: received.clientData, use.codes)
    let sealer = try await sealer(at: context.time)
    let unsealed: UnsealedCeremony
    do throws(CeremonyError) {
      unsealed = try sealer.sealer.unseal(
        challenge, .authentication, of: relyingParty, binding: use.binding, stepUp: use.stepUp, for: use.label)
    } catch {
      throw ServiceError(use.codes.unknown, cause: .ceremony(error))
    }
    return try await resume(
      unsealed, sealer.salt(of: unsealed), use.binding, received.response.id, use.codes, at: context.time)
  }

  /// Opens the registration that a response answers: one in the session, if there is one, or one of this browser.
  func resume(
    _ received: ReceivedRegistration, binding: CeremonyBinding?, session: AuthenticatedSession?,
    in context: CallContext
  ) async throws(ServiceError) -> ResumedCeremony {
    let challenge = try challenge(in: received.clientData, .signUp)
    let sealer = try await sealer(at: context.time)
    let bindings = [session.map { (session) in CeremonyBinding(session.session.id.bytes) }, binding]
    for binding in session == nil ? [binding] : bindings {
      if let unsealed = try? sealer.sealer.unseal(
        challenge, .registration, of: relyingParty, binding: binding, stepUp: nil, for: "registration")
      {
        return try await resume(
          unsealed, sealer.salt(of: unsealed), binding, received.response.id, .signUp, at: context.time)
      }
    }
    throw ServiceError(.signUpCeremonyUnknown)
  }

  private func challenge(
    in clientData: Result<ClientData, FormatError>, _ codes: CeremonyCodes
  ) throws(ServiceError) -> Bytes {
    try mapError(clientData.get().challenge) { (error: FormatError) in
      ServiceError(codes.failed, cause: .format(error))
    }
  }

  private func resume(
    _ unsealed: UnsealedCeremony, _ salt: ChallengeSalt, _ binding: CeremonyBinding?, _ credential: CredentialID,
    _ codes: CeremonyCodes, at now: UnixTime
  ) async throws(ServiceError) -> ResumedCeremony {
    guard now <= unsealed.id.expiry else { throw ServiceError(codes.unknown, "expired") }
    let id = CeremonyID(unsealed.id)
    let presented = try await stored(async: await storage.presented(credential, in: id, sealedWith: salt))
    guard !presented.isSpent else { throw ServiceError(codes.unknown, "spent") }
    return ResumedCeremony(
      id: id, salt: salt, unsealed: unsealed, binding: binding, passkey: presented.passkey, account: presented.account)
  }

  /// Returns the current state of the credential of a response that must be verified again, because the credential has
  /// changed meanwhile. Throws if the ceremony is spent: a second verification of the accepted response would find that its
  /// signature counter has not increased.
  func changed(
    _ credential: CredentialID, in ceremony: ResumedCeremony, _ codes: CeremonyCodes
  ) async throws(ServiceError) -> Passkey? {
    let presented = try await stored(
      async: await storage.presented(credential, in: ceremony.id, sealedWith: ceremony.salt))
    guard !presented.isSpent else { throw ServiceError(codes.unknown, "spent") }
    return presented.passkey
  }
}

extension AuthService {
  /// Ends a ceremony whose response is refused with an effect of its own, so that the response has this effect once.
  func end(_ ceremony: ResumedCeremony, _ codes: CeremonyCodes) async throws(ServiceError) {
    let isFirst = try await stored(async: await storage.spend(ceremony.id))
    guard isFirst else { throw ServiceError(codes.unknown, "spent") }
  }
}

/// The error codes for one kind of ceremony.
struct CeremonyCodes {
  let unknown: ServiceError.Code
  let failed: ServiceError.Code

  static let signUp = Self(unknown: .signUpCeremonyUnknown, failed: .signUpCeremonyFailed)
  static let signIn = Self(unknown: .signInCeremonyUnknown, failed: .signInCeremonyFailed)
  static let reverification = Self(unknown: .sessionVerificationUnknown, failed: .sessionVerificationFailed)
  static let stepUp = Self(unknown: .stepUpCeremonyUnknown, failed: .stepUpCeremonyFailed)
}
