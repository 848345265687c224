// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
public import WebAuthnTypes

extension AuthService {
  /// Begins the confirmation of an action by the signed-in user.
  ///
  /// Only passkeys whose user verification counts as a factor can confirm: those that are not disabled and whose record
  /// has `uvInitialized` (WebAuthn §4). An account without one needs a recovery code to register a new passkey, which
  /// verifies the user; only the session that removed the last one may add another (`replacementEnd(of:at:)`).
  ///
  /// - Returns: The options for `navigator.credentials.get`.
  /// - Throws: `step-up.impossible` if no passkey of the account can confirm; or a storage code.
  public func beginStepUp(
    for action: ProtectedAction, by session: AuthenticatedSession, hints: [PublicKeyCredentialHint] = [],
    in context: CallContext
  ) async throws(ServiceError) -> RequestOptions {
    let handle = session.account.handle
    let usable = try await verifyingPasskeys(of: handle)
    guard !usable.isEmpty else { throw ServiceError(.stepUpImpossible) }
    let purpose = AuthenticationPurpose.stepUp(
      StepUpAction(session: session.session.id.bytes, action: action.canonicalBytes))
    return try await begin(
      .knownBefore(handle, credentials: offered(usable.map(\.record.descriptor))), for: .stepUp(session),
      purpose: purpose, hints: hints, in: context)
  }

  /// Returns the passkeys of an account that can verify its user.
  func verifyingPasskeys(of handle: UserHandle) async throws(ServiceError) -> [Passkey] {
    try await allPasskeys(of: handle).filter(\.canConfirm)
  }

  /// Finishes a step-up whose client data are already parsed.
  package func finishStepUp(
    _ received: ReceivedAuthentication, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> GrantedConfirmation {
    let id = received.response.id
    let taken = try await resume(received, for: .stepUp(session), in: context)
    do throws(ServiceError) {
      return try await confirm(received, taken, session, in: context)
    } catch {
      await recordRefusal(
        .stepUpConfirmed, of: session.account.handle, by: session.account.handle,
        subject: taken.subject(id), error: error, spending: taken.id, in: context)
      throw refusal(ofConfirmation: error, received)
    }
  }

  /// Finishes a step-up. Opens the ceremony, verifies the response, and grants a confirmation for the action
  /// that the ceremony was begun for.
  ///
  /// - Returns: The confirmation, valid once, in this session, for ``ServicePolicy/grantLifetime``.
  /// - Throws: `step-up.ceremony-unknown` if the ceremony is finished, expired or another session's;
  ///   `step-up.ceremony-failed` if the response fails a step; `step-up.credential-refused`, `step-up.clone-suspected`,
  ///   `step-up.backup-eligibility-changed` or `step-up.contended`; `session.unknown` if the session ended meanwhile; or
  ///   a storage code. Show clients ``ServiceError/publicCode`` only.
  public func finishStepUp(
    _ response: AuthenticationResponse, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> GrantedConfirmation {
    try await finishStepUp(ReceivedAuthentication(response), by: session, in: context)
  }

  /// Spends a confirmation on an action that the caller is about to perform, and records it.
  ///
  /// Spend first, then act. A confirmation that was spent without the action can be requested again, but an action
  /// performed before spending could be performed twice. If the action fails, record that with
  /// ``record(_:by:subject:outcome:details:in:)``.
  ///
  /// - Parameters:
  ///   - confirmation: The confirmation of this action.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - details: Further details for the audit record, without personal data.
  ///   - context: The time and origin of the request.
  /// - Returns: The proof that the confirmation was spent. Require it where the action is performed.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; or a storage code.
  public func spend(
    _ confirmation: PresentedConfirmation, by session: AuthenticatedSession, details: [String: String] = [:],
    in context: CallContext
  ) async throws(ServiceError) -> SpentConfirmation {
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [try draftOfSpending(confirmation, by: session, details: details, in: context)]
    try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      guard try await stored(async: await storage.spend(grant, audit: audit))
      else {
        throw ServiceError(.stepUpGrantRefused)
      }
    }
    return SpentConfirmation(
      account: session.account, session: session.session.id, action: confirmation.action, time: context.time)
  }

  /// Returns the audit draft for a spent confirmation.
  func draftOfSpending(
    _ confirmation: PresentedConfirmation, by session: AuthenticatedSession, details: [String: String] = [:],
    in context: CallContext
  ) throws(ServiceError) -> AuditDraft {
    let handle = session.account.handle
    let own = ["method": confirmation.action.method, "session": "\(session.session.id)"]
    return try draft(
      .stepUpSpent, by: handle, of: handle, subject: .action(confirmation.action.digest),
      details: details.merging(own) { _, own in own }, in: context)
  }

  private func confirm(
    _ received: ReceivedAuthentication, _ taken: ResumedCeremony, _ session: AuthenticatedSession,
    in context: CallContext
  ) async throws(ServiceError) -> GrantedConfirmation {
    // A credential of another user fails like an unknown one.
    var passkey = taken.passkey
    for _ in 0..<Self.maximumAttemptCount {
      guard let current = passkey, current.user == session.account.handle, !current.isDisabled else {
        throw ServiceError(.stepUpCredentialRefused)
      }
      try requireAcceptedAttestation(of: current, orThrow: .stepUpCredentialRefused, at: context.time)
      // Verifies against the purpose of the ceremony. Spending the grant checks that the performed action is the
      // confirmed one.
      let verified = try verifyResponse(.stepUp) { () throws(CeremonyError) in
        let pending = try taken.unsealed.authentication()
        let purpose = pending.purpose
        return try relyingParty.finishAuthentication(
          received, pending: pending, binding: taken.binding, credential: current.stored, purpose: purpose,
          at: context.time)
      }
      guard let proof = verified.stepUp else {
        throw ServiceError(.stepUpRefused, "the assertion is not for a step-up")
      }
      try await enforceSignalPolicy(
        of: verified, current, ending: taken, .stepUp,
        refusing: (.stepUpCloneSuspected, .stepUpBackupEligibilityChanged), in: context)
      let token = try Token(at: context.time, random: random)
      let grant = StepUpGrant(
        digest: token.digest, user: proof.user, session: session.session.id, actionDigest: proof.actionDigest,
        expiry: context.time + policy.grantLifetime)
      let assertion = ReceiptAssertion(received.response, publicKey: current.record.publicKey)
      let details = [
        ActionReceipt.assertionName: Base64URL.encode(assertion.digest),
        ActionReceipt.attestationName: current.attestation.trust.rawValue,
        "credential": "\(proof.credentialID)", "session": "\(session.session.id)",
      ]
      let confirmed = try draft(
        .stepUpConfirmed, by: proof.user, of: proof.user, subject: .action(proof.actionDigest), details: details,
        in: context)
      var commit = StepUpCommit(
        use: CredentialUse(of: verified, replacing: current), grant: grant,
        audit: try signalDrafts(of: verified, current, in: context) + [confirmed])
      commit.ceremony = taken.id
      switch try await stored(async: await storage.confirm(commit)) {
      case .ceremonySpent: throw ServiceError(.stepUpCeremonyUnknown, "spent")
      case .granted:
        return GrantedConfirmation(
          token: token, expiry: grant.expiry, actionDigest: grant.actionDigest,
          evidence: ConfirmationEvidence(assertion: assertion, record: confirmed.id, account: proof.user))
      case .sessionEnded: throw ServiceError(.sessionUnknown)
      case .credentialChanged: passkey = try await changed(current.record.id, in: taken, .stepUp)
      }
    }
    throw ServiceError(.stepUpContended)
  }
}
