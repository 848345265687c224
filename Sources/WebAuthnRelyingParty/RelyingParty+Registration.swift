// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WebAuthnAttestation
public import WebAuthnTypes
public import WireFormats

extension RelyingParty {
  /// Begins to register a passkey.
  ///
  /// The options go to the browser, the pending ceremony into a store from which it is *taken* when the response comes:
  /// gone, whatever comes next. Credentials that the user has already are excluded by their authenticators.
  public func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, hints: [PublicKeyCredentialHint] = [],
    extensions: [RegistrationExtension] = [], at now: Timestamp, random: RandomSource = .system
  ) throws(CeremonyError) -> (options: CreationOptions, pending: PendingRegistration) {
    beginRegistration(
      of: user, excluding: credentials, mediation: mediation, hints: hints,
      extensions: try self.extensions(extensions), at: now, challenge: try newChallenge(random))
  }

  /// Begins with a challenge that is given: to judge ceremonies that were recorded.
  package func beginRegistration(
    of user: UserEntity, excluding credentials: [CredentialDescriptor] = [],
    mediation: RegistrationMediation = .modal, hints: [PublicKeyCredentialHint] = [],
    extensions: ClientExtensions = [:], at now: Timestamp, challenge: Challenge
  ) -> (options: CreationOptions, pending: PendingRegistration) {
    let options = CreationOptions(
      relyingParty: RelyingPartyEntity(id: id, name: name), user: user, challenge: challenge,
      credentialParameters: policy.algorithms.map { CredentialParameters(algorithm: $0) },
      timeout: policy.timeout, excludeCredentials: credentials,
      authenticatorSelection: AuthenticatorSelection(
        // Secure Payment Confirmation: the client makes one for payments on its own platform only, or throws.
        authenticatorAttachment: extensions[ExtensionName.payment] == nil ? nil : .platform,
        residentKey: policy.residentKey, userVerification: policy.userVerification),
      hints: hints, attestation: policy.attestationConveyance, extensions: extensions)
    let terms = CeremonyTerms(
      self, challenge: challenge, requiresUserVerification: policy.userVerification == .required,
      extensions: extensions, at: now)
    return (
      options,
      PendingRegistration(
        terms: terms, user: user.id, algorithms: policy.algorithms, isConditional: mediation == .conditional,
        acceptableTrust: policy.attestation.acceptableTrust,
        maximumCredentialIDByteCount: min(policy.maximumCredentialIDByteCount, CredentialID.maximumByteCount))
    )
  }

  /// Finishes a registration: every step of WebAuthn §7.1, in its order.
  ///
  /// `existing` is what the store has under the response's credential id, of whichever user: nothing, or the registration
  /// fails. The caller stores the result's credential and only then tells the browser.
  public func finishRegistration(
    _ response: consuming RegistrationResponse, pending: consuming PendingRegistration,
    existing: StoredCredential?, at now: Timestamp, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedRegistration {
    try checkLifetime(of: pending.sharedTerms, at: now)
    return try RegistrationCeremony(
      relyingParty: self, pending: pending, response: response, isKnown: existing != nil, time: now,
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

/// How the browser was asked for a new passkey.
public enum RegistrationMediation: Sendable {
  /// The user is asked.
  case modal
  /// The browser makes one by the way, after a sign-in with a password; nobody need touch anything.
  case conditional
}
