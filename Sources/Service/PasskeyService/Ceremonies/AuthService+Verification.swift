// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// The maximum number of verifications of one assertion when concurrent requests change its credential.
  static var maximumAttemptCount: Int { 5 }

  /// Calls the relying party and wraps its error in a ``ServiceError``.
  func mapCeremonyErrors<Value: ~Copyable>(
    to code: ServiceError.Code, _ body: () throws(CeremonyError) -> Value
  ) throws(ServiceError) -> Value {
    try mapError(body()) { (error: CeremonyError) in ServiceError(code, cause: .ceremony(error)) }
  }

  /// Calls the relying party to verify a response. A response from another browser than the one that began the ceremony
  /// gets the same error as an unknown ceremony.
  func verifyResponse<Value>(
    _ codes: CeremonyCodes, _ body: () throws(CeremonyError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(CeremonyError) {
      return try body()
    } catch  where error.code == .bindingMismatch {
      throw ServiceError(codes.unknown, "begun in another browser")
    } catch {
      throw ServiceError(codes.failed, cause: .ceremony(error))
    }
  }

  func passkey(_ id: CredentialID) async throws(ServiceError) -> Passkey? {
    try await stored(async: await storage.passkey(id))
  }

  /// Returns a dummy credential, so that verification for an unknown credential takes the same work as for a known one. The
  /// caller refuses the sign-in whatever the result.
  func dummyCredential(
    for response: AuthenticationResponse, _ identification: UserIdentification
  ) -> StoredCredential? {
    let owner: UserHandle? =
      if case .knownBefore(let user, _) = identification { user } else { response.userHandle }
    // The relying party refuses a response without its required user handle before it reads the record.
    guard let owner else { return nil }
    let record = CredentialRecord(
      id: response.id, publicKey: dummyKeys.first(for: response), signCount: 0, uvInitialized: true,
      transports: [], backupEligible: false, backupState: false)
    return StoredCredential(user: owner, record: record)
  }

  /// Returns the audit drafts of an assertion's suspicious signals.
  func signalDrafts(
    of verified: VerifiedAuthentication, _ passkey: Passkey, in context: CallContext
  ) throws(ServiceError) -> [AuditDraft] {
    var drafts: [AuditDraft] = []
    let subject = AuditSubject.credential(passkey.record.id)
    if case .notIncreased(let stored, let received) = verified.counter {
      drafts.append(
        try draft(
          .cloneSuspected, by: nil, of: passkey.user, subject: subject,
          details: ["stored": "\(stored)", "received": "\(received)", "policy": policy.cloneSignal.rawValue],
          in: context))
    }
    if verified.backup.eligibilityChanged {
      drafts.append(
        try draft(
          .backupEligibilityChanged, by: nil, of: passkey.user, subject: subject,
          details: ["policy": policy.backupSignal.rawValue], in: context))
    }
    if verified.backup.stateChanged {
      drafts.append(
        try draft(
          .backupStateChanged, by: nil, of: passkey.user, subject: subject,
          details: ["backedUp": "\(verified.credential.record.backupState)"], in: context))
    }
    return drafts
  }

  /// Refuses an assertion with a signal that the policy refuses, and disables its credential if the policy requires
  /// that.
  func enforceSignalPolicy(
    of verified: VerifiedAuthentication, _ passkey: Passkey, ending ceremony: ResumedCeremony, _ kind: CeremonyCodes,
    refusing codes: (clone: ServiceError.Code, moved: ServiceError.Code), in context: CallContext
  ) async throws(ServiceError) {
    let isClone = verified.counter.isSuspicious && policy.cloneSignal != .report
    let hasMoved = verified.backup.eligibilityChanged && policy.backupSignal != .report
    guard isClone || hasMoved else { return }
    try await end(ceremony, kind)
    let drafts = try signalDrafts(of: verified, passkey, in: context)
    if (isClone && policy.cloneSignal == .disable) || (hasMoved && policy.backupSignal == .disable) {
      let disabled = try draft(
        .credentialDisabled, by: nil, of: passkey.user, subject: .credential(passkey.record.id), in: context)
      let isNew = try await stored(
        async: await storage.disable(
          passkey.record.id, of: passkey.user, cloneSignal: isClone ? context.time : nil, audit: drafts + [disabled]))
      // If another request has disabled the passkey in the meantime, that request has recorded it.
      if !isNew { try await stored(async: await storage.append(drafts)) }
    } else {
      try await stored(async: await storage.append(drafts))
    }
    throw ServiceError(isClone ? codes.clone : codes.moved)
  }
}

extension Passkey {
  /// The credential in the relying party's form.
  var stored: StoredCredential { StoredCredential(user: user, record: record) }
}

extension CredentialUse {
  /// Creates the changes that a verified assertion makes to its passkey.
  init(of verified: VerifiedAuthentication, replacing passkey: Passkey) {
    let record = verified.credential.record
    self.init(
      credential: record.id, user: passkey.user, revision: passkey.revision, signCount: record.signCount,
      backupState: record.backupState,
      changesRecord: record.signCount != passkey.record.signCount || record.backupState != passkey.record.backupState,
      suspectsClone: verified.counter.isSuspicious, changesBackupEligibility: verified.backup.eligibilityChanged,
      time: verified.time)
  }
}
