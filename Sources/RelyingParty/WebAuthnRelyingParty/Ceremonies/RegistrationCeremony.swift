// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

// W3C Web Authentication Level 3, §7.1, Registering a New Credential.

/// The verification of one registration response.
struct RegistrationCeremony: ~Copyable {
  let relyingParty: RelyingParty
  let pending: PendingRegistration
  let received: ReceivedRegistration
  let existing: CredentialLookup
  let time: UnixTime
  let steps: StepRecorder

  /// Runs every step.
  func run() throws(CeremonyError) -> VerifiedRegistration {
    steps.note(1, "the options were made when the ceremony began")
    steps.note(2, "the client called navigator.credentials.create()")
    steps.note(3, "the response is an attestation")
    steps.note(4, "the client extension outputs came with the response")
    steps.note(5, "the client data are UTF-8")
    // 6. The client data are parsed.
    let checks = ClientDataChecks(try readClientData(), pending.terms, steps)
    // 7. The type in the client data is that of a registration.
    try checks.requireType(.create, 7, .registrationTypeMismatch)
    // 8. The challenge equals the one in the options.
    try checks.requireChallenge(8, .registrationChallengeMismatch)
    // 9. The origin is one of the relying party's.
    try checks.requireOrigin(9, .registrationOriginMismatch)
    // 10. The page is not embedded in a page of another origin, unless the policy allows it.
    try checks.requireFrame(10, .registrationCrossOriginRefused)
    // 11. The embedding page's origin is an allowed one.
    try checks.requireTopOrigin(11, .registrationCrossOriginRefused, .registrationTopOriginMismatch)
    steps.note(12, "the client data are hashed")
    let clientDataHash = Digest.sha256(received.response.clientDataJSON)
    // 13. The attestation object is parsed: format, statement, and authenticator data that contain this credential.
    let (object, credential) = try readAttestationObject()
    let data = object.authenticatorData
    // 14. The authenticator data are bound to the relying party's RP ID.
    try steps.require(
      data.relyingPartyIDHash.elementsEqual(relyingParty.idHash), 14, .registrationRelyingPartyIDMismatch,
      "the RP ID hash matches",
      .init(hash: data.relyingPartyIDHash, with: relyingParty.idHash, of: relyingParty.id.text))
    let flags = FlagChecks(data.flags, steps)
    // 15. The UP flag is set, except in a conditional registration.
    if pending.isConditional {
      steps.note(15, "a conditional registration may lack user presence")
    } else {
      try flags.requireUserPresence(15, .registrationUserNotPresent)
    }
    // 16. The UV flag is set if required.
    try flags.requireUserVerification(pending.terms.requiresUserVerification, 16, .registrationUserNotVerified)
    // 17. A credential that is backed up is eligible for backup.
    try flags.requireConsistentBackup(17, .registrationBackupStateInvalid)
    steps.note(18, "the result reports backup eligibility")
    steps.note(19, "the result reports the backup state")
    // 20. The algorithm is one of the requested ones.
    let key = try requireAlgorithm(of: credential)
    // 21. The attestation format is a supported one.
    try steps.require(
      AttestationVerifier.formats.contains(object.format), 21, .registrationFormatUnknown,
      "the attestation format is supported",
      .init("a format of WebAuthn §8", object.format.rawValue))
    // 22. The attestation statement is valid.
    // 23. The trust anchors are the configured ones.
    // 24. The policy accepts the attestation's trust.
    let attestation = try verifyAttestation(object, key, clientDataHash)
    // 25. The credential ID has at most 1023 bytes, or fewer if the policy sets a lower limit.
    try steps.require(
      credential.credentialID.count <= pending.maximumCredentialIDByteCount, 25, .registrationCredentialIDTooLong,
      "the credential id is short enough",
      .init("at most \(pending.maximumCredentialIDByteCount) bytes", "\(credential.credentialID.count) bytes"))
    // 26. The credential ID is not registered to any user.
    try requireUnknownID()
    steps.note(27, "the credential record is made")
    // 28. Requested extension outputs are well formed; others are ignored, or refused by policy.
    let extensions = try ExtensionChecks(.registration, pending.terms, steps).check(
      received.response, checks.clientData, data.extensions)
    steps.note(29, "the ceremony succeeds")
    return VerifiedRegistration(
      user: pending.user, relyingPartyID: pending.terms.relyingPartyID, response: received.response,
      attestationObject: object, credential: credential, attestation: attestation, extensions: extensions, time: time)
  }
}

// MARK: The steps that take more than a line

extension RegistrationCeremony {
  private func readClientData() throws(CeremonyError) -> ClientData {
    let title = "the client data are well formed"
    do throws(FormatError) {
      let clientData = try received.clientData.get()
      if pending.terms.refusals.contains(.malformedTokenBinding) { try clientData.requireTokenBindingForm() }
      steps.pass(6, title)
      return clientData
    } catch {
      throw steps.fail(6, .registrationClientDataMalformed, title, .format(error))
    }
  }

  private func readAttestationObject() throws(CeremonyError) -> (AttestationObject, AttestedCredentialData) {
    let title = "the attestation object is well formed"
    let object: AttestationObject
    do throws(FormatError) {
      object = try AttestationObject(parsing: received.response.attestationObject)
      steps.pass(13, title)
    } catch {
      throw steps.fail(13, .registrationAttestationObjectMalformed, title, .format(error))
    }
    guard let credential = object.authenticatorData.attestedCredentialData else {
      throw steps.fail(13, .registrationCredentialDataMissing, "the response contains a credential", nil)
    }
    try steps.require(
      credential.credentialID.elementsEqual(received.response.id.bytes), 13, .registrationCredentialIDMismatch,
      "the response names this credential",
      .init("\(received.response.id)", Base64URL.encode(credential.credentialID)))
    return (object, credential)
  }

  private func requireAlgorithm(of credential: AttestedCredentialData) throws(CeremonyError) -> COSEKey {
    let title = "the algorithm was requested"
    let key: COSEKey
    do throws(COSEError) {
      key = try COSEKey(parsing: credential.credentialPublicKey)
    } catch {
      throw steps.fail(20, .registrationKeyMalformed, title, .key(error))
    }
    try steps.require(
      pending.algorithms.contains(key.algorithm), 20, .registrationAlgorithmNotAllowed, title,
      .init(pending.algorithms.map(\.description).joined(separator: " or "), "\(key.algorithm)"))
    // The format "none" does not prove possession of the key. Without this check, a point off the curve would only be
    // detected at the first sign-in.
    do throws(PasskeyCryptoError) {
      try key.requirePointOnCurve()
    } catch {
      throw steps.fail(20, .registrationKeyMalformed, "the key's point lies on its curve", .crypto(error))
    }
    return key
  }

  private func verifyAttestation(
    _ object: AttestationObject, _ key: COSEKey, _ clientDataHash: [UInt8]
  ) throws(CeremonyError) -> AttestationOutcome {
    do throws(AttestationError) {
      let outcome = try relyingParty.attestation.verify(
        object.statement, format: object.format, authenticatorData: object.authenticatorData,
        credentialPublicKey: key, clientDataHash: clientDataHash, at: time)
      // The configuration may have become less strict since the ceremony began.
      try pending.acceptableTrust.require(outcome.trust)
      for member in outcome.members { try pending.acceptableTrust.require(member.trust) }
      steps.pass(22, "the attestation statement is valid: \(outcome.type)")
      steps.note(23, "the anchors come from the configuration")
      steps.pass(24, "the attestation is acceptable: \(outcome.trust)")
      return outcome
    } catch {
      guard error.code.isAboutTrust else {
        throw steps.fail(
          22, .registrationAttestationInvalid, "the attestation statement is valid", .attestation(error))
      }
      steps.pass(22, "the attestation statement is valid")
      steps.note(23, "the anchors come from the configuration")
      throw steps.fail(24, .registrationAttestationNotAcceptable, "the attestation is acceptable", .attestation(error))
    }
  }

  private func requireUnknownID() throws(CeremonyError) {
    guard case .found(let credential) = existing else { return steps.pass(26, "the credential id is new") }
    let owner = credential.user == pending.user ? "the same user" : "another user"
    try steps.require(
      false, 26, .registrationCredentialIDKnown, "the credential id is new",
      .init("an unregistered id", "an id registered by \(owner)"))
  }
}

extension AttestationError.Code {
  /// Whether the statement is valid but the policy does not accept its trust.
  var isAboutTrust: Bool {
    switch self {
    case .noneNotAcceptable, .selfNotAcceptable, .unanchoredNotAcceptable, .certificateRevoked,
      .authenticatorStatus, .authenticatorRogue, .modelDenied, .modelNotAllowed, .modelUnproven, .modelUnknown,
      .modelStatus, .modelCertificationLevel, .modelKeyProtection, .androidSecurityLevel, .androidVerifiedBoot,
      .androidPatchLevel:
      true
    default: false
    }
  }
}
