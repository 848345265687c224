// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnRelyingParty
public import WebAuthnTypes

extension AuthService {
  /// Begins the registration of an account with its first passkey. With a recovery code, begins the registration of a
  /// passkey for an existing account.
  ///
  /// The response does not reveal whether the address has an account. Without a code, the options are always those of a
  /// new account; if the address is taken, finishing the registration is refused. The response reveals a taken user name
  /// only if the policy says so (``ServicePolicy/Identifiers/refusesTakenUsernamesAtOnce``).
  ///
  /// - Parameters:
  ///   - names: The names of the account. With a recovery code, one of them is enough.
  ///   - code: The one-time code; nil for none.
  ///   - binding: The binding of the browser, which finishing then requires; nil for none.
  ///   - hints: The kinds of authenticators to suggest to the browser.
  ///   - context: The time and origin of the request.
  /// - Returns: The options for `navigator.credentials.create`.
  /// - Throws: `account.name-refused` or `account.username-invalid` if the policy does not accept the names;
  ///   `sign-up.invitation-required` if it requires a code; `sign-up.code-refused` if the code is unknown, expired, or
  ///   for another address; `sign-up.code-too-early` with ``ServiceError/notBefore`` if a recovery code is not valid yet; `sign-up.username-taken`; or a storage code.
  public func beginRegistration(
    _ names: AccountNames, code: OneTimeCode? = nil, binding: CeremonyBinding? = nil,
    hints: [PublicKeyCredentialHint] = [], in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    let owners = try await owners(of: names)
    let intent = try await intent(of: names, code, owners, in: context)
    let user: (handle: UserHandle, name: String)
    var excluded: [CredentialDescriptor] = []
    switch intent {
    case .signUp(let account, _):
      if policy.identifiers.refusesTakenUsernamesAtOnce, owners.ofUsername != nil {
        throw ServiceError(.signUpUsernameTaken)
      }
      user = (account.handle, account.name)
    case .recovery(let handle, _), .addition(let handle):
      user = (handle, owners.common(names)?.name ?? names.primary.text)
      excluded = offered(try await allPasskeys(of: handle).map(\.record.descriptor))
    }
    return try await beginRegistration(
      of: user, excluding: excluded, intent, binding: binding, hints: hints, in: context)
  }

  /// Begins a registration with an email address only, like the function that takes `AccountNames`.
  public func beginRegistration(
    _ email: EmailAddress, code: OneTimeCode? = nil, binding: CeremonyBinding? = nil,
    hints: [PublicKeyCredentialHint] = [], in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    try await beginRegistration(AccountNames(email: email), code: code, binding: binding, hints: hints, in: context)
  }

  /// Begins to add a passkey to the signed-in account. It requires a confirmation, which this call spends, or a session
  /// that has just removed the last passkey (`replacementEnd(of:at:)`).
  ///
  /// - Returns: The options for `navigator.credentials.create`. They exclude the account's passkeys.
  /// - Throws: `step-up.required` or `step-up.grant-refused`; `passkey.too-many`; or a storage code.
  public func beginRegistration(
    for session: AuthenticatedSession, confirmation: PresentedConfirmation, hints: [PublicKeyCredentialHint] = [],
    in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    let confirmation = try await replacing(confirmation, by: session, in: context)
    let grant = try confirmation.spending(in: session, at: context)
    return try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      try await beginAddition(
        to: session, hints: hints, spending: grant,
        audit: [draftOfSpending(confirmation, by: session, in: context)], in: context)
    }
  }

  /// Begins to add a passkey to the signed-in account. The caller has checked that the session may.
  func beginAddition(
    to session: AuthenticatedSession, mediation: RelyingParty.RegistrationMediation = .modal,
    hints: [PublicKeyCredentialHint] = [],
    spending grant: GrantSpending? = nil, audit: [AuditDraft] = [], in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    let account = session.account
    let passkeys = try await allPasskeys(of: account.handle)
    guard passkeys.count < policy.maximumPasskeyCount else { throw ServiceError(.credentialTooMany) }
    if let grant {
      let isSpent = try await stored(async: await storage.spend(grant, audit: audit))
      guard isSpent else { throw ServiceError(.stepUpGrantRefused) }
    }
    return try await beginRegistration(
      of: (account.handle, account.name), excluding: offered(passkeys.map(\.record.descriptor)),
      .addition(account.handle), mediation: mediation, binding: CeremonyBinding(session.session.id.bytes), hints: hints,
      in: context)
  }

  /// Finishes a registration whose client data are already parsed.
  package func finishRegistration(
    _ received: ReceivedRegistration, name: Passkey.Name? = nil, binding: CeremonyBinding? = nil,
    session: AuthenticatedSession? = nil, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    let id = received.response.id
    let taken = try await resume(received, binding: binding, session: session, in: context)
    let payload = try mapCeremonyErrors(to: .signUpCeremonyUnknown) { () throws(CeremonyError) in
      CeremonyPayload(parsing: [UInt8](try taken.unsealed.registration().attachment))
    }
    // Of another version.
    guard let intent = payload?.intent else { throw ServiceError(.signUpCeremonyUnknown) }
    do throws(ServiceError) {
      return try await register(received, name, taken, intent, session, in: context)
    } catch {
      // The transaction that detected this has already recorded it.
      if [.signUpEmailTaken, .accountEmailTaken].contains(error.code) { throw refusal(error, of: received) }
      await recordRefusal(
        .credentialRegistered, of: intent.existingAccount, by: session?.account.handle,
        subject: taken.subject(id), error: error, spending: taken.id, in: context)
      throw refusal(error, of: received)
    }
  }

  /// Finishes a registration. Opens the ceremony, verifies the response by every step of the standard, and commits the account, passkey, code, session and audit records in one transaction.
  ///
  /// - Parameters:
  ///   - response: The response of the client.
  ///   - name: The user's name for the passkey; nil for that of its provider or of the device.
  ///   - binding: The binding of the browser that began the registration; nil if it had none.
  ///   - session: The signed-in session, which is required to add a passkey.
  ///   - context: The time and origin of the request.
  /// - Returns: The passkey and its account. An active account gets a new session, except when a passkey is added; a
  ///   pending account gets one only if the policy says so. If the address must be verified, there is a
  ///   ``RegisteredPasskey/verification`` instead, whether or not the address is taken.
  /// - Throws: `sign-up.ceremony-unknown` if the ceremony is finished, expired or another client's;
  ///   `sign-up.ceremony-failed` if the response fails a step; `sign-up.code-refused`, `sign-up.username-taken`, `sign-up.email-taken`,
  ///   or `account.email-taken` with a code for a verified address, `sign-up.account-refused` or `sign-up.credential-known`; `session.unknown` if the session ended meanwhile;
  ///   `passkey.too-many`; or a storage code. Show clients ``ServiceError/publicCode`` only.
  public func finishRegistration(
    _ response: RegistrationResponse, name: Passkey.Name? = nil, binding: CeremonyBinding? = nil,
    session: AuthenticatedSession? = nil, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    try await finishRegistration(
      ReceivedRegistration(response), name: name, binding: binding, session: session, in: context)
  }

  /// Returns whether a sign-up can end with a mail to any address. An invitation for one address mails to that one only, and
  /// other codes are for existing accounts.
  package func endsWithMail(signUpWith code: OneTimeCode?) async throws(ServiceError) -> Bool {
    guard policy.contact.verification != .off else { return false }
    guard let code else { return true }
    let issued = try await stored(async: await storage.code(code.digest))
    return issued.map { $0.purpose == .invitation && $0.email == nil } ?? false
  }

  /// Returns the purpose of a registration according to the policy and the code.
  private func intent(
    of names: AccountNames, _ code: OneTimeCode?, _ owners: NameOwners, in context: CallContext
  ) async throws(ServiceError) -> RegistrationIntent {
    var account = Account(
      handle: try UserHandle(policy.identifiers.handles, random: random), names: names,
      state: policy.signUp == .approval ? .pending : .active, created: context.time)
    guard let code else {
      try policy.identifiers.check(names)
      if policy.signUp == .invitation { throw ServiceError(.signUpInvitationRequired) }
      return .signUp(account, code: nil)
    }
    let issued = try await stored(async: await storage.code(code.digest))
    guard let issued else { throw ServiceError(.signUpCodeRefused) }
    switch issued.purpose {
    case .invitation:
      try policy.identifiers.check(names)
      account.state = .active
      account.roles = issued.roles
      guard issued.admits(.newAccount(account), at: context.time) else { throw ServiceError(.signUpCodeRefused) }
      return .signUp(account, code: code.digest)
    case .signUp:
      try policy.identifiers.check(names)
      if policy.signUp == .invitation { throw ServiceError(.signUpInvitationRequired) }
      guard issued.admits(.newAccount(account), at: context.time) else { throw ServiceError(.signUpCodeRefused) }
      return .signUp(account, code: code.digest)
    case .recovery, .firstPasskey:
      let known = owners.common(names)
      if let notBefore = issued.notBefore, context.time < notBefore, let known, known.handle == issued.account {
        var error = ServiceError(.signUpCodeTooEarly, "valid from \(notBefore)")
        error.notBefore = notBefore
        throw error
      }
      guard let known, issued.admits(.account(known.handle, session: nil), at: context.time) else {
        throw ServiceError(.signUpCodeRefused)
      }
      return .recovery(known.handle, code: code.digest)
    }
  }

  private func beginRegistration(
    of person: (handle: UserHandle, name: String), excluding excluded: [CredentialDescriptor],
    _ intent: RegistrationIntent, mediation: RelyingParty.RegistrationMediation = .modal, binding: CeremonyBinding?,
    hints: [PublicKeyCredentialHint], in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    let user = UserEntity(id: person.handle, name: person.name, displayName: person.name)
    let sealer = try await sealer(at: context.time).sealer
    return try mapCeremonyErrors(to: .signUpCeremonyFailed) { () throws(CeremonyError) in
      let begun = try current.value.beginRegistration(
        of: user, excluding: excluded, mediation: mediation, hints: hints, binding: binding, at: context.time,
        random: random)
      return try sealer.seal(begun, attaching: CeremonyPayload(intent).encoded, for: "registration")
    }
  }

  /// Looks up each given name. A look-up takes the same work whether or not an account has the name.
  func owners(of names: AccountNames) async throws(ServiceError) -> NameOwners {
    var owners = NameOwners()
    if let email = names.email {
      owners.ofEmail = try await stored(async: await storage.account(.email(email)))
    }
    if let username = names.username {
      owners.ofUsername = try await stored(async: await storage.account(.username(username)))
    }
    return owners
  }

  func allPasskeys(of user: UserHandle) async throws(ServiceError) -> [Passkey] {
    try await stored(async: await storage.passkeys(of: user))
  }
}

extension RegistrationIntent {
  /// The account for which the ceremony was begun; nil if it did not exist yet.
  var existingAccount: UserHandle? {
    switch self {
    case .recovery(let handle, _), .addition(let handle): handle
    case .signUp: nil
    }
  }

}

/// The accounts that have the names of a request.
struct NameOwners {
  var ofEmail: Account?
  var ofUsername: Account?

  /// Returns the account that has all given names.
  func common(_ names: AccountNames) -> Account? {
    switch (names.username, names.email) {
    case (nil, _): ofEmail
    case (_, nil): ofUsername
    case (_?, _?): ofEmail?.handle == ofUsername?.handle ? ofEmail : nil
    }
  }
}
