// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnRelyingParty
public import WebAuthnTypes

extension AuthService {
  /// Begins a sign-in. An unknown name gets the same kind of response as a known one, after the same work.
  ///
  /// - Parameters:
  ///   - name: The name of the account; nil for the account that the passkey names.
  ///   - mediation: How the page asks for the passkey. A conditional sign-in lives longer
  ///     (``ServicePolicy/conditionalLifetime``).
  ///   - binding: The binding of the browser, which finishing then requires; nil for none.
  ///   - hints: The kinds of authenticators to suggest.
  ///   - context: The time and origin of the request.
  /// - Returns: The options for `navigator.credentials.get`. Their time-out is the lifetime of the sign-in.
  /// - Throws: A storage code.
  public func beginSignIn(
    _ name: AccountName?, mediation: SignInMediation = .modal, binding: CeremonyBinding? = nil,
    hints: [PublicKeyCredentialHint] = [],
    in context: CallContext
  ) async throws(ServiceError) -> RequestOptions {
    let user = try await identification(of: name)
    return try await begin(
      user, for: .signIn(binding), lifetime: mediation == .conditional ? policy.conditionalLifetime : nil, hints: hints,
      in: context)
  }

  /// Begins a sign-in with an email address, like the function that takes an `AccountName`.
  public func beginSignIn(
    _ email: EmailAddress, mediation: SignInMediation = .modal, binding: CeremonyBinding? = nil,
    hints: [PublicKeyCredentialHint] = [], in context: CallContext
  ) async throws(ServiceError) -> RequestOptions {
    try await beginSignIn(.email(email), mediation: mediation, binding: binding, hints: hints, in: context)
  }

  /// Finishes a sign-in whose client data are already parsed.
  package func finishSignIn(
    _ received: ReceivedAuthentication, binding: CeremonyBinding? = nil, in context: CallContext
  ) async throws(ServiceError) -> OpenedSession {
    let id = received.response.id
    let taken = try await resume(received, for: .signIn(binding), in: context)
    do throws(ServiceError) {
      return try await signIn(received, taken, in: context)
    } catch {
      let refusal = refusal(error, of: received, taken, at: context.time)
      await recordRefusal(
        .sessionOpened, of: taken.account?.handle, subject: taken.subject(id), error: error, spending: taken.id,
        in: context)
      throw refusal
    }
  }

  /// Finishes a sign-in. Opens the ceremony from the challenge and verifies the response by every step of the standard. One
  /// transaction then spends the ceremony, updates the credential, opens the session and records the sign-in.
  ///
  /// - Parameters:
  ///   - response: The response of the client.
  ///   - binding: The binding of the browser that began the sign-in; nil if it had none.
  ///   - context: The time and origin of the request.
  /// - Returns: The opened session with its tokens.
  /// - Throws: `sign-in.ceremony-unknown` if the ceremony is finished, expired or another client's;
  ///   `sign-in.ceremony-failed` if the response fails a step; `sign-in.credential-unknown`,
  ///   `sign-in.credential-disabled`, `sign-in.clone-suspected`, `sign-in.backup-eligibility-changed`,
  ///   `sign-in.attestation-refused`, `sign-in.email-unverified` with ``ServiceError/verification``, `sign-in.account-pending`, `sign-in.account-disabled`, `sign-in.account-rejected` or
  ///   `sign-in.contended`; or a storage code. Show clients ``ServiceError/publicCode``, ``ServiceError/signal`` and
  ///   ``ServiceError/foreignOrigin`` only.
  public func finishSignIn(
    _ response: AuthenticationResponse, binding: CeremonyBinding? = nil, in context: CallContext
  ) async throws(ServiceError) -> OpenedSession {
    try await finishSignIn(ReceivedAuthentication(response), binding: binding, in: context)
  }

  private func signIn(
    _ received: ReceivedAuthentication, _ taken: ResumedCeremony, in context: CallContext
  ) async throws(ServiceError) -> OpenedSession {
    guard let known = taken.passkey, let account = taken.account else {
      try verifyAgainstDummy(received, taken, in: context)
      throw ServiceError(.signInCredentialUnknown)
    }
    var passkey = known
    for _ in 0..<Self.maximumAttemptCount {
      let verified = try verifyResponse(.signIn) { () throws(CeremonyError) in
        try relyingParty.finishAuthentication(
          received, pending: taken.unsealed.authentication(), binding: taken.binding,
          credential: passkey.stored, at: context.time)
      }
      try requireUsable(passkey, of: account)
      if awaitsVerification(account) {
        try await end(taken, .signIn)
        throw try await demandVerification(of: account, in: context)
      }
      if account.state == .pending, !admitsSession(account) { throw ServiceError(.signInAccountPending) }
      try requireAcceptedAttestation(of: passkey, orThrow: .signInAttestationRefused, at: context.time)
      try await enforceSignalPolicy(
        of: verified, passkey, ending: taken, .signIn,
        refusing: (.signInCloneSuspected, .signInBackupEligibilityChanged), in: context)
      // Only now: a refused response takes the same reads of the store, whether the credential is known or not.
      let client = try await recognize(knownClient(of: account.handle, in: context), at: context.time)
      var (opened, opening) = try newSession(of: account, with: passkey.record.id, in: context)
      opened.creationOffer = creationOffer(
        for: opened.session, after: verified, by: received.response.authenticatorAttachment)
      var details = ["credential": "\(passkey.record.id)"]
      if passkey.lastUsed == nil {
        details[NoticeMember.new.name] = "passkey"
      } else if client.isNew {
        details[NoticeMember.new.name] = "client"
      }
      var commit = SignInCommit(
        use: CredentialUse(of: verified, replacing: passkey), opening: opening,
        audit: try signalDrafts(of: verified, passkey, in: context) + [
          draft(
            .sessionOpened, by: account.handle, of: account.handle, subject: .session(opened.session.id),
            details: details, in: context)
        ])
      commit.ceremony = taken.id
      commit.client = client.toStore
      commit.locale = account.locale.completed(by: context)
      switch try await stored(async: await storage.signIn(commit)) {
      case .opened: return opened
      case .accountRefused: throw ServiceError(.signInAccountDisabled)
      case .ceremonySpent: throw ServiceError(.signInCeremonyUnknown, "spent")
      case .credentialChanged:
        // A concurrent request used the credential. Verify the response against the current record.
        guard let current = try await changed(passkey.record.id, in: taken, .signIn), current.user == passkey.user
        else {
          throw ServiceError(.signInCredentialUnknown)
        }
        passkey = current
      }
    }
    throw ServiceError(.signInContended)
  }

  /// Begins the verification that an account awaits, and returns the error for its sign-in.
  private func demandVerification(
    of account: Account, in context: CallContext
  ) async throws(ServiceError) -> ServiceError {
    var error = ServiceError(.signInEmailUnverified)
    error.verification = try await beginVerification(of: account, in: context)
    return error
  }

  /// Does the same work as for a registered credential. Refuses only a response from another browser than the
  /// ceremony's.
  private func verifyAgainstDummy(
    _ received: ReceivedAuthentication, _ taken: ResumedCeremony, in context: CallContext
  ) throws(ServiceError) {
    do throws(ServiceError) {
      try verifyResponse(.signIn) { () throws(CeremonyError) in
        let pending = try taken.unsealed.authentication()
        guard let dummy = dummyCredential(for: received.response, pending.identification) else { return }
        _ = try relyingParty.finishAuthentication(
          received, pending: pending, binding: taken.binding, credential: dummy, at: context.time)
      }
    } catch {
      if error.code == .signInCeremonyUnknown { throw error }
    }
  }

  /// Checks that the account and passkey are enabled. Call it after verification, so that only the passkey's owner
  /// learns the state.
  private func requireUsable(_ passkey: Passkey, of account: Account) throws(ServiceError) {
    switch account.state {
    case .active, .pending: break
    case .disabled: throw ServiceError(.signInAccountDisabled)
    case .rejected: throw ServiceError(.signInAccountRejected)
    }
    if passkey.isDisabled { throw ServiceError(.signInCredentialDisabled) }
  }
}

/// How a page asks for the passkey of a sign-in: the member `mediation` of `navigator.credentials.get()`.
public enum SignInMediation: String, Hashable, Sendable, CaseIterable {
  /// The browser asks the user at once.
  case modal
  /// The browser offers passkeys in a form and waits (WebAuthn §5.1.4, conditional mediation).
  case conditional
}

/// The user interface of a sign-in: the member `uiMode` of `navigator.credentials.get()`, a proposal that Chrome
/// implements. Browsers without it ignore it.
public enum SignInUIMode: String, Hashable, Sendable, CaseIterable {
  /// The browser shows passkeys of this device at once, and fails at once otherwise. It requires options without
  /// listed passkeys, and a click.
  case immediate
}
