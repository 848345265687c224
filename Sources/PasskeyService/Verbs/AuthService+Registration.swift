// SPDX-License-Identifier: Apache-2.0

public import WebAuthnRelyingParty
public import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// Begins to make an account with its first passkey; or, with a recovery code, to get a passkey for an account that there
  /// is.
  ///
  /// Nothing here says whether the address has an account: without a code the options are those of a new one in either
  /// case, and the registration is refused at its end.
  public func beginRegistration(
    _ email: EmailAddress, code: OneTimeCode? = nil, binding: CeremonyBinding? = nil,
    hints: [PublicKeyCredentialHint] = [], in context: RequestContext
  ) async throws(ServiceError) -> CreationOptions {
    let known = try await ask { (storage) throws(StorageError) in try await storage.account(email: email) }
    let intent = try await intent(of: email, code, known, in: context)
    let handle: UserHandle
    var excluded: [CredentialDescriptor] = []
    switch intent {
    case .signUp(let account, _): handle = account.handle
    case .recovery(let user, _), .addition(let user, _):
      handle = user
      excluded = offered(try await allPasskeys(of: user).map(\.record.descriptor))
    case .signIn, .stepUp: throw ServiceError(.signUpRefused)
    }
    // What was begun under the address of an account goes when that goes, since the address is in it.
    return try await beginRegistration(
      of: handle, email, excluding: excluded, intent, keptWith: known?.handle ?? handle, binding: binding, hints: hints,
      in: context)
  }

  /// Begins to add a passkey to the account of whoever is signed in. It takes a confirmation, which is spent here.
  public func beginRegistration(
    for session: AuthenticatedSession, confirmation: PresentedConfirmation, hints: [PublicKeyCredentialHint] = [],
    in context: RequestContext
  ) async throws(ServiceError) -> CreationOptions {
    let account = session.account
    let grant = try confirmation.spending(in: session, at: context)
    let passkeys = try await allPasskeys(of: account.handle)
    guard passkeys.count < policy.maximumPasskeyCount else { throw ServiceError(.credentialTooMany) }
    return try await watching(confirmation, of: session, in: context) { () throws(ServiceError) in
      try await beginRegistration(
        of: account.handle, account.email, excluding: offered(passkeys.map(\.record.descriptor)),
        .addition(account.handle, session: session.session.id), keptWith: account.handle, binding: nil, hints: hints,
        spending: grant, audit: [spentDraft(confirmation, by: session, in: context)], in: context)
    }
  }

  /// Finishes a registration: the ceremony is taken, judged by every step of the standard, and account, passkey, code and
  /// session are written in one transaction, which records it.
  ///
  /// `session` is that of whoever is signed in, for a passkey that is added. An account that may be used at once gets a
  /// session of its own here, and one that has to be approved first does not.
  public func finishRegistration(
    _ response: RegistrationResponse, name: CredentialName = .unnamed, binding: CeremonyBinding? = nil,
    session: AuthenticatedSession? = nil, in context: RequestContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    let taken = try await take(
      answeredBy: response.clientDataJSON, credential: response.id, binding: binding, codes: .signUp, at: context.time)
    do throws(ServiceError) {
      let registered = try await register(response, name, taken, session, in: context)
      await noteRegistration()
      return registered
    } catch {
      // That is recorded in the transaction that found it.
      if error.code == .signUpEmailTaken { throw error }
      await recordRefusal(
        .credentialRegistered, of: taken.intent.existingAccount, by: session?.account.handle,
        subject: taken.subject(response.id), error: error, in: context)
      throw error
    }
  }

  /// What a registration is to lead to, by the policy and the code.
  private func intent(
    of email: EmailAddress, _ code: OneTimeCode?, _ known: Account?, in context: RequestContext
  ) async throws(ServiceError) -> CeremonyIntent {
    var account = Account(
      handle: try newHandle(), email: email, state: policy.signUp == .approval ? .pending : .active,
      created: context.time)
    guard let code else {
      if policy.signUp == .invitation { throw ServiceError(.signUpInvitationRequired) }
      return .signUp(account, code: nil)
    }
    let issued = try await ask { (storage) throws(StorageError) in try await storage.code(code.digest) }
    guard let issued else { throw ServiceError(.signUpCodeRefused) }
    switch issued.purpose {
    case .invitation:
      account.state = .active
      account.roles = issued.roles
      guard issued.admits(.newAccount(account), at: context.time) else { throw ServiceError(.signUpCodeRefused) }
      return .signUp(account, code: code.digest)
    case .recovery:
      guard let known, issued.admits(.account(known.handle, session: nil), at: context.time) else {
        throw ServiceError(.signUpCodeRefused)
      }
      return .recovery(known.handle, code: code.digest)
    }
  }

  private func beginRegistration(
    of handle: UserHandle, _ email: EmailAddress, excluding excluded: [CredentialDescriptor], _ intent: CeremonyIntent,
    keptWith account: UserHandle, binding: CeremonyBinding?, hints: [PublicKeyCredentialHint],
    spending grant: GrantSpending? = nil,
    audit: [AuditDraft] = [], in context: RequestContext
  ) async throws(ServiceError) -> CreationOptions {
    let user = UserEntity(id: handle, name: email.text, displayName: email.text)
    let begun = try ceremony(.signUpCeremonyFailed) { () throws(CeremonyError) in
      try relyingParty.beginRegistration(
        of: user, excluding: excluded, hints: hints, binding: intent.sessionBinding ?? binding, at: context.time,
        random: random)
    }
    let payload = CeremonyPayload(ceremony: begun.pending.bytes, intent: intent)
    try await keep(
      begun.options.challenge, of: account, until: begun.pending.expiry, payload, spending: grant, audit: audit,
      in: context)
    return begun.options
  }

  func newHandle() throws(ServiceError) -> UserHandle {
    let bytes = try random.draw(Account.handleByteCount)
    do throws(FormatError) {
      return try UserHandle(bytes)
    } catch {
      throw ServiceError(.randomnessUnavailable, cause: .format(error))
    }
  }

  func allPasskeys(of user: UserHandle) async throws(ServiceError) -> [Passkey] {
    try await ask { (storage) throws(StorageError) in try await storage.passkeys(of: user) }
  }
}

extension CeremonyIntent {
  /// The account that the ceremony was begun for, where there was one by then.
  var existingAccount: UserHandle? {
    switch self {
    case .recovery(let handle, _), .addition(let handle, _): handle
    case .signUp, .signIn, .stepUp: nil
    }
  }
}
