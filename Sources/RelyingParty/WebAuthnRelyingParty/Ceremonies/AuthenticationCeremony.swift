// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// W3C Web Authentication Level 3, §7.2, Verifying an Authentication Assertion.

/// The verification of one authentication response.
struct AuthenticationCeremony: ~Copyable {
  let relyingParty: RelyingParty
  let pending: PendingAuthentication
  let received: ReceivedAuthentication
  let time: UnixTime
  let steps: StepRecorder

  /// Runs every step. Consumes the credential, which becomes part of the result with its new state.
  func run(for credential: consuming StoredCredential) throws(CeremonyError) -> VerifiedAuthentication {
    steps.note(1, "the options were made when the ceremony began")
    steps.note(2, "the client called navigator.credentials.get()")
    steps.note(3, "the response is an assertion")
    steps.note(4, "the client extension outputs came with the response")
    // 5. The credential is one of the requested ones.
    try requireAllowedCredential()
    // 6. The record belongs to this credential and to the identified user.
    try requireIdentifiedUser(of: credential)
    // 7. The response contains client data, authenticator data and signature.
    let authenticatorData = try readAuthenticatorData()
    steps.note(8, "the client data are UTF-8")
    // 9. The client data are parsed.
    let checks = ClientDataChecks(try readClientData(), pending.terms, steps)
    // 10. The type in the client data is that of a sign-in, or of a payment if the ceremony confirms one.
    try checks.requireType(pending.purpose.clientDataType, 10, .authenticationTypeMismatch)
    // 11. The challenge equals the one in the options.
    try checks.requireChallenge(11, .authenticationChallengeMismatch)
    // 12. The origin is one of the relying party's, and a displayed payment equals the requested one.
    try checks.requireOrigin(12, .authenticationOriginMismatch)
    let payment = try checkPayment(in: checks.clientData)
    // 13. The page is not embedded in a page of another origin, unless the policy allows it.
    try checks.requireFrame(13, .authenticationCrossOriginRefused)
    // 14. The embedding page's origin is an allowed one.
    try checks.requireTopOrigin(14, .authenticationCrossOriginRefused, .authenticationTopOriginMismatch)
    // 15. The authenticator data are bound to the relying party's RP ID.
    try requireRelyingPartyID(of: authenticatorData)
    let flags = FlagChecks(authenticatorData.flags, steps)
    // 16. The UP flag is set.
    try flags.requireUserPresence(16, .authenticationUserNotPresent)
    // 17. The UV flag is set if required, and user verification counts as a factor.
    try flags.requireUserVerification(pending.terms.requiresUserVerification, 17, .authenticationUserNotVerified)
    let userVerification = try checkUserVerification(of: credential.record, authenticatorData.flags)
    // 18. A credential that is backed up is eligible for backup.
    try flags.requireConsistentBackup(18, .authenticationBackupStateInvalid)
    // 19. Backup eligibility is unchanged, unless the policy allows a change.
    let backup = try checkBackup(of: credential.record, authenticatorData.flags)
    steps.note(20, "the client data are hashed")
    let clientDataHash = Digest.sha256(received.response.clientDataJSON)
    // 21. The credential's key signed the authenticator data and that hash.
    try verifySignature(of: credential.record, over: authenticatorData, clientDataHash)
    // 22. The signature counter increased, unless the policy allows otherwise.
    let counter = try checkCounter(of: credential.record, authenticatorData)
    // 23. Requested extension outputs are well formed; others are ignored, or refused by policy.
    let extensions = try ExtensionChecks(.authentication, pending.terms, steps).check(
      received.response, authenticatorData.extensions, payment)
    steps.note(24, "the record gets the new counter and backup state")
    if !credential.record.uvInitialized {
      steps.note(24, "uvInitialized stays false: setting it requires another factor")
    }
    steps.note(25, "the ceremony succeeds")
    return VerifiedAuthentication(
      credential: credential, authenticatorData: authenticatorData, userVerification: userVerification,
      counter: counter, backup: backup, clientExtensionResults: received.response.clientExtensionResults,
      extensions: extensions, purpose: pending.purpose, payment: payment, time: time)
  }
}

// MARK: The steps that take more than a line

extension AuthenticationCeremony {
  private func requireAllowedCredential() throws(CeremonyError) {
    let id = received.response.id
    let (count, isRequested): (Int, Bool) =
      if let fingerprints = pending.fingerprints {
        (fingerprints.count, fingerprints.contains(id))
      } else if case .knownBefore(_, let credentials) = pending.identification {
        (credentials.count, credentials.contains { $0.id == id })
      } else { (0, false) }
    guard count > 0 else { return steps.note(5, "no credentials were named") }
    try steps.require(
      isRequested, 5, .authenticationCredentialNotAllowed, "the credential is one of those requested",
      .init("one of the allowed credentials (\(count))", "\(id)"))
  }

  private func requireIdentifiedUser(of credential: StoredCredential) throws(CeremonyError) {
    try steps.require(
      credential.record.id == received.response.id, 6, .authenticationCredentialMismatch,
      "the record belongs to the credential",
      .init("\(credential.record.id)", "\(received.response.id)"))
    switch pending.identification {
    case .knownBefore(let user, _):
      try steps.require(
        credential.user == user, 6, .authenticationUserHandleMismatch, "the credential belongs to the identified user",
        .init("\(user)", "\(credential.user)"))
    case .fromResponse:
      try steps.require(
        received.response.userHandle != nil, 6, .authenticationUserHandleMissing, "the response names the user")
    }
    guard let userHandle = received.response.userHandle else { return }
    try steps.require(
      userHandle == credential.user, 6, .authenticationUserHandleMismatch, "the user handle is the user's",
      .init("\(credential.user)", "\(userHandle)"))
  }

  private func readAuthenticatorData() throws(CeremonyError) -> AuthenticatorData {
    let title = "the authenticator data are well formed"
    do throws(FormatError) {
      let data = try AuthenticatorData(parsing: received.response.authenticatorData)
      steps.pass(7, title)
      return data
    } catch {
      throw steps.fail(7, .authenticationAuthenticatorDataMalformed, title, .format(error))
    }
  }

  private func readClientData() throws(CeremonyError) -> ClientData {
    let title = "the client data are well formed"
    do throws(FormatError) {
      let clientData = try received.clientData.get()
      if pending.terms.refusals.contains(.malformedTokenBinding) { try clientData.requireTokenBindingForm() }
      steps.pass(9, title)
      return clientData
    } catch {
      throw steps.fail(9, .authenticationClientDataMalformed, title, .format(error))
    }
  }

  /// Secure Payment Confirmation: returns nil for a sign-in or a step-up.
  private func checkPayment(in clientData: ClientData) throws(CeremonyError) -> ClientPaymentData? {
    guard case .payment(let transaction) = pending.purpose else { return nil }
    return try PaymentChecks(transaction, relyingParty.id, steps).check(clientData, 12)
  }

  /// §10.1.1: if the extension appid was requested and the client used it, the hash is that of the AppID.
  private func requireRelyingPartyID(of data: AuthenticatorData) throws(CeremonyError) {
    let usesAppID = pending.appID != nil && received.response.clientExtensionResults["appid"]?.bool == true
    let expected = usesAppID ? Digest.sha256([UInt8]((pending.appID ?? "").utf8)) : relyingParty.idHash
    try steps.require(
      data.relyingPartyIDHash.elementsEqual(expected), 15, .authenticationRelyingPartyIDMismatch,
      "the RP ID hash matches",
      .init(
        hash: data.relyingPartyIDHash, with: expected,
        of: usesAppID ? pending.appID ?? "" : relyingParty.id.text))
  }

  /// §4: while uvInitialized is false, the UV flag must not be used as a factor. Depending on the policy, a sign-in may
  /// report this instead of failing; a confirmation always fails.
  private func checkUserVerification(
    of record: CredentialRecord, _ flags: AuthenticatorFlags
  ) throws(CeremonyError) -> VerifiedAuthentication.UserVerificationSignal {
    let signal = VerifiedAuthentication.UserVerificationSignal(record: record, flags: flags)
    guard signal == .notInitialized else { return signal }
    if pending.refusesUninitializedUserVerification {
      try steps.require(
        false, 17, .authenticationUserVerificationNotInitialized, "user verification is a factor",
        .init("uvInitialized true", "uvInitialized false"))
    }
    steps.note(17, "user verification is not a factor: uvInitialized is false")
    return signal
  }

  private func checkBackup(
    of record: CredentialRecord, _ flags: AuthenticatorFlags
  ) throws(CeremonyError) -> VerifiedAuthentication.BackupSignal {
    let signal = VerifiedAuthentication.BackupSignal(record: record, flags: flags)
    let isAccepted = !signal.eligibilityChanged || !pending.terms.refusals.contains(.backupEligibilityChange)
    try steps.require(
      isAccepted, 19, .authenticationBackupEligibilityChanged,
      isAccepted && signal.eligibilityChanged
        ? "the policy accepts a changed backup eligibility" : "the backup eligibility has not changed",
      .init(record.backupEligible ? "BE set" : "BE clear", flags.contains(.backupEligible) ? "BE set" : "BE clear"))
    return signal
  }

  private func verifySignature(
    of record: CredentialRecord, over data: AuthenticatorData, _ clientDataHash: [UInt8]
  ) throws(CeremonyError) {
    let title = "the signature is valid"
    let key: COSEKey
    do throws(COSEError) {
      key = try publicKey(of: record)
    } catch {
      throw steps.fail(21, .authenticationKeyMalformed, title, .key(error))
    }
    do throws(PasskeyCryptoError) {
      try key.verify(received.response.signature, over: data.encoded, followedBy: clientDataHash)
      steps.pass(21, title)
    } catch {
      throw steps.fail(21, .authenticationSignatureInvalid, title, .crypto(error))
    }
  }

  private func publicKey(of record: CredentialRecord) throws(COSEError) -> COSEKey {
    switch relyingParty.policy.textValuedStoredKeys {
    case .refused: return try COSEKey(parsing: record.publicKey)
    case .accepted:
      if let key = try? COSEKey(parsing: record.publicKey) { return key }
      return try COSEKey(parsingTextValuedKey: record.publicKey)
    }
  }

  private func checkCounter(
    of record: CredentialRecord, _ data: AuthenticatorData
  ) throws(CeremonyError) -> VerifiedAuthentication.CounterSignal {
    let signal = VerifiedAuthentication.CounterSignal(stored: record.signCount, received: data.signCount)
    if case .notCounted = signal {
      steps.pass(22, "the signature counter is not used")
      return signal
    }
    let isAccepted = !signal.isSuspicious || !pending.terms.refusals.contains(.signCount)
    try steps.require(
      isAccepted, 22, .authenticationSignCountNotGreater,
      isAccepted && signal.isSuspicious
        ? "the policy accepts a signature counter that has not increased" : "the signature counter has increased",
      .init("more than \(record.signCount)", "\(data.signCount)"))
    return signal
  }
}
