// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE
public import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnAttestation
public import WebAuthnTypes

extension RelyingParty {
  /// Begins the registration of a passkey.
  ///
  /// Send the options to the browser. Store the pending ceremony, and read and delete it in one operation when the
  /// response arrives. Authenticators with one of the `excluding` credentials refuse to create another one.
  ///
  /// The pending ceremony stores these choices, so that a later policy change does not weaken them. A nil choice
  /// follows the policy:
  ///
  /// - `mediation`: how the browser asks the user. Where the policy says *required*, a conditional registration
  ///   requests user verification as *preferred*: clients need not verify the user in it (§5.1.3).
  /// - `userVerification`: the requirement of this registration, for either mediation.
  /// - `attachment`: the authenticators that clients offer; nil means all. No step of §7.1 verifies it.
  /// - `attestation`: the requested attestation conveyance.
  /// - `algorithms`: the algorithms of this registration, most preferred first.
  ///
  /// The browser that finishes the registration must present the same `binding`.
  ///
  /// - Throws: `ceremony.configuration-invalid` for extensions that no client accepts or algorithms that this build
  ///   does not verify, and `ceremony.randomness-unavailable`.
  public func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, userVerification: UserVerificationRequirement? = nil,
    attachment: AuthenticatorAttachment? = nil, attestation: AttestationConveyancePreference? = nil,
    algorithms: [COSEAlgorithm]? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: [RegistrationExtension] = [], binding: CeremonyBinding? = nil, at now: UnixTime,
    random: RandomSource = .system
  ) throws(CeremonyError) -> BegunRegistration {
    let userVerification = userVerification ?? policy.userVerification(under: mediation)
    if let algorithms { try Self.requireSupported(algorithms) }
    return beginRegistration(
      of: user, excluding: credentials, mediation: mediation, userVerification: userVerification,
      attachment: attachment, attestation: attestation, algorithms: algorithms, hints: hints,
      extensions: try self.extensions(extensions, userVerification, attachment), binding: binding, at: now,
      challenge: try newChallenge(random))
  }

  /// Begins a registration with the given challenge, to replay recorded ceremonies.
  package func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, userVerification: UserVerificationRequirement? = nil,
    attachment: AuthenticatorAttachment? = nil, attestation: AttestationConveyancePreference? = nil,
    algorithms: [COSEAlgorithm]? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: ClientExtensions = [:], binding: CeremonyBinding? = nil, at now: UnixTime, challenge: Challenge
  ) -> BegunRegistration {
    let userVerification = userVerification ?? policy.userVerification(under: mediation)
    let algorithms = algorithms ?? policy.algorithms
    let options = CreationOptions(
      relyingParty: RelyingPartyEntity(id: id, name: name), user: user, challenge: challenge,
      credentialParameters: algorithms.map { CredentialParameters(algorithm: $0) },
      timeout: CeremonyPolicy.timeout(of: policy.lifetime), excludeCredentials: credentials,
      authenticatorSelection: AuthenticatorSelection(
        // Secure Payment Confirmation: the client creates payment credentials on a platform authenticator only, or
        // throws.
        authenticatorAttachment: extensions[ExtensionName.payment] == nil ? attachment : .platform,
        residentKey: policy.residentKey, userVerification: userVerification),
      hints: hints, attestation: attestation ?? policy.attestationConveyance, extensions: extensions)
    let terms = CeremonyTerms(
      self, challenge: challenge, requiresUserVerification: userVerification == .required,
      extensions: extensions, lifetime: policy.lifetime, at: now)
    return BegunRegistration(
      options: options,
      pending: PendingRegistration(
        terms: terms, user: user.id, algorithms: algorithms, isConditional: mediation == .conditional,
        acceptableTrust: policy.attestation.acceptableTrust,
        maximumCredentialIDByteCount: min(policy.maximumCredentialIDByteCount, CredentialID.maximumByteCount),
        binding: binding))
  }

  /// Finishes a registration: runs every step of WebAuthn §7.1 in the standard's order.
  ///
  /// `pending` is consumed, so that it cannot verify a second response. `binding` must equal the one with which the
  /// ceremony was begun. `existing` is the result of looking up the response's credential ID among all users: a
  /// credential that was found fails the registration. Store the result's credential before you report success to the
  /// browser.
  ///
  /// - Returns: The credential to store, with the trust of its attestation.
  /// - Throws: `ceremony.expired`, `ceremony.pending-of-another-relying-party` or `ceremony.binding-mismatch` before
  ///   the first step; then the `registration.…` code of the first step that fails, whose number is in
  ///   ``CeremonyError/step``.
  public func finishRegistration(
    _ response: consuming RegistrationResponse, pending: consuming PendingRegistration,
    binding: CeremonyBinding? = nil, existing: CredentialLookup, at now: UnixTime, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedRegistration {
    try finishRegistration(
      ReceivedRegistration(response), pending: pending, binding: binding, existing: existing, at: now, trace: trace)
  }

  /// Finishes a registration whose client data the server has parsed, for example to find the pending ceremony by its
  /// challenge. Otherwise equal to the function that takes a `RegistrationResponse`, with the same codes.
  ///
  /// - Returns: The credential to store, with the trust of its attestation.
  /// - Throws: A `ceremony.…` code before the first step, then the `registration.…` code of the first step that
  ///   fails.
  package func finishRegistration(
    _ received: consuming ReceivedRegistration, pending: consuming PendingRegistration,
    binding: CeremonyBinding? = nil, existing: CredentialLookup, at now: UnixTime, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedRegistration {
    try checkLifetime(of: pending.terms, at: now)
    try check(binding, for: pending.binding)
    return try RegistrationCeremony(
      relyingParty: self, pending: pending, received: received, existing: existing, time: now,
      steps: StepRecorder(trace)
    ).run()
  }

  func newChallenge(_ random: RandomSource) throws(CeremonyError) -> Challenge {
    let bytes = try mapError(random.bytes(Self.challengeByteCount)) { (error: PasskeyCryptoError) in
      CeremonyError(.randomnessUnavailable, cause: .crypto(error))
    }
    return try mapError(Challenge(bytes)) { (error: FormatError) in
      CeremonyError(.randomnessUnavailable, cause: .format(error))
    }
  }
}

extension RelyingParty {
  /// How the browser asks for a new passkey: the member `mediation` of `navigator.credentials.create()`.
  public enum RegistrationMediation: Sendable {
    /// The browser asks the user.
    case modal
    /// The browser creates a passkey without a dialog, after the user has signed in with a password (§5.1.3).
    ///
    /// The response may lack user presence. It may also lack user verification, unless the ceremony requires it. A
    /// passkey without user verification is stored with `uvInitialized` false; see
    /// ``VerifiedAuthentication/UserVerificationSignal``.
    case conditional
  }
}

extension CeremonyPolicy {
  /// The requirement of a ceremony. *Required* becomes *preferred* in a conditional registration: §5.1.3 lets clients
  /// omit user presence and user verification there, so most of these registrations would fail.
  func userVerification(under mediation: RelyingParty.RegistrationMediation) -> UserVerificationRequirement {
    mediation == .conditional && userVerification == .required ? .preferred : userVerification
  }
}
