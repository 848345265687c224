// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
internal import WebAuthnAttestation
public import WebAuthnTypes
public import WireFormats

extension RelyingParty {
  /// Begins to register a passkey.
  ///
  /// Send the options to the browser, and keep the pending ceremony in a store from which it is *taken*, deleted, when the
  /// response arrives. The authenticators of the `excluding` credentials refuse to make another one.
  ///
  /// The pending ceremony keeps the choices, so that a policy which changes meanwhile does not soften it. A choice that is
  /// nil follows the policy:
  ///
  /// - `mediation`: how the browser asks. A conditional registration asks for user verification as *preferred* where the
  ///   policy says *required*: clients need not verify the user in one (§5.1.3).
  /// - `userVerification`: the requirement of this registration, whatever the mediation.
  /// - `attachment`: the authenticators that clients offer; nil is all of them. No step of §7.1 verifies it.
  /// - `attestation`: the attestation conveyance to ask for.
  /// - `algorithms`: the algorithms of this registration, the preferred first.
  ///
  /// The browser that finishes the registration must present the same `binding`.
  ///
  /// - Throws: `ceremony.configuration-invalid` for extensions or algorithms with which no client or build could succeed,
  ///   `ceremony.randomness-unavailable`.
  public func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, userVerification: UserVerificationRequirement? = nil,
    attachment: AuthenticatorAttachment? = nil, attestation: AttestationConveyancePreference? = nil,
    algorithms: [COSEAlgorithm]? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: [RegistrationExtension] = [], binding: CeremonyBinding? = nil, at now: Timestamp,
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

  /// Begins with a challenge that is given: to judge ceremonies that were recorded.
  package func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, userVerification: UserVerificationRequirement? = nil,
    attachment: AuthenticatorAttachment? = nil, attestation: AttestationConveyancePreference? = nil,
    algorithms: [COSEAlgorithm]? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: ClientExtensions = [:], binding: CeremonyBinding? = nil, at now: Timestamp, challenge: Challenge
  ) -> BegunRegistration {
    let userVerification = userVerification ?? policy.userVerification(under: mediation)
    let algorithms = algorithms ?? policy.algorithms
    let options = CreationOptions(
      relyingParty: RelyingPartyEntity(id: id, name: name), user: user, challenge: challenge,
      credentialParameters: algorithms.map { CredentialParameters(algorithm: $0) },
      timeout: policy.timeout, excludeCredentials: credentials,
      authenticatorSelection: AuthenticatorSelection(
        // Secure Payment Confirmation: the client makes one for payments on its own platform only, or throws.
        authenticatorAttachment: extensions[ExtensionName.payment] == nil ? attachment : .platform,
        residentKey: policy.residentKey, userVerification: userVerification),
      hints: hints, attestation: attestation ?? policy.attestationConveyance, extensions: extensions)
    let terms = CeremonyTerms(
      self, challenge: challenge, requiresUserVerification: userVerification == .required,
      extensions: extensions, at: now)
    return BegunRegistration(
      options: options,
      pending: PendingRegistration(
        terms: Shared(terms), user: user.id, algorithms: algorithms, isConditional: mediation == .conditional,
        acceptableTrust: policy.attestation.acceptableTrust,
        maximumCredentialIDByteCount: min(policy.maximumCredentialIDByteCount, CredentialID.maximumByteCount),
        binding: binding))
  }

  /// Finishes a registration: every step of WebAuthn §7.1, in its order.
  ///
  /// `pending` is consumed, so that no response is judged by it again. `binding` is the one with which the ceremony was
  /// begun. `existing` is what the store has under the response's credential id, of whichever user: a credential that is
  /// found fails the registration. The caller stores the result's credential and only then tells the browser.
  public func finishRegistration(
    _ response: consuming RegistrationResponse, pending: consuming PendingRegistration,
    binding: CeremonyBinding? = nil, existing: CredentialLookup, at now: Timestamp, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedRegistration {
    try checkLifetime(of: pending.sharedTerms, at: now)
    try check(binding, for: pending.binding)
    return try RegistrationCeremony(
      relyingParty: self, pending: pending, response: response, existing: existing, time: now,
      steps: StepRecorder(trace)
    ).run()
  }

  func newChallenge(_ random: RandomSource) throws(CeremonyError) -> Challenge {
    let bytes: [UInt8]
    do throws(CryptoError) {
      bytes = try random.bytes(Self.challengeByteCount)
    } catch {
      throw CeremonyError(.randomnessUnavailable, cause: .crypto(error))
    }
    do throws(FormatError) {
      return try Challenge(bytes)
    } catch {
      throw CeremonyError(.randomnessUnavailable, cause: .format(error))
    }
  }
}

/// How the page asks the browser for a new passkey: the member `mediation` of `navigator.credentials.create()`.
public enum RegistrationMediation: Sendable {
  /// The browser asks the user.
  case modal
  /// The browser creates a passkey without a dialog, after the user has signed in with a password (§5.1.3).
  ///
  /// The response may lack user presence, and user verification unless the ceremony demands it. A passkey without user
  /// verification is stored with `uvInitialized` false; see ``UserVerificationSignal``.
  case conditional
}

extension CeremonyPolicy {
  /// §5.1.3: a client sets both requireUserPresence and requireUserVerification to false in a conditional registration, unless
  /// it can perform them there. *Required* would make most of them fail.
  func userVerification(under mediation: RegistrationMediation) -> UserVerificationRequirement {
    mediation == .conditional && userVerification == .required ? .preferred : userVerification
  }
}
