// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
public import WebAuthnTypes

/// Proof of the right to administer accounts. For a session, only `AuthService.administrator(_:in:)` creates one,
/// which records refused attempts.
///
/// Each change also requires a confirmation, with two exceptions: the server's console needs none, and ending sessions
/// needs none because it can be urgent and only costs the owner a sign-in.
public struct Administrator: Sendable {
  package let session: AuthenticatedSession?

  /// The operator at the server's own console, who has direct access to the store.
  public static let console = Self(session: nil)

  /// The actor in audit records; nil for the console.
  var handle: UserHandle? { session?.account.handle }

  private init(session: AuthenticatedSession?) {
    self.session = session
  }

  /// Creates the proof for a signed-in administrator. Throws ``ServiceError/Code/notPermitted`` if the account is not
  /// an acting administrator.
  init(_ session: AuthenticatedSession) throws(ServiceError) {
    guard session.account.isActingAdministrator else { throw ServiceError(.notPermitted) }
    self.init(session: session)
  }
}

extension AuthService {
  /// Creates the proof that an account may administer accounts. Records a refused attempt.
  ///
  /// - Parameters:
  ///   - session: The session of the administrator, from ``authenticate(_:allowing:in:)``.
  ///   - context: The time and origin of the request.
  /// - Returns: The proof, which the other methods about accounts require.
  /// - Throws: `account.not-permitted` if the account lacks the administrator role.
  public func administrator(
    _ session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> Administrator {
    do throws(ServiceError) {
      return try Administrator(session)
    } catch {
      let handle = session.account.handle
      await recordRefusal(
        .administrationAttempted, of: handle, by: handle, subject: .account(handle), error: error, in: context)
      throw error
    }
  }

  /// Finds the account with a name.
  ///
  /// - Throws: `account.unknown` if no account has the name; or a storage code.
  public func account(
    _ name: AccountName, by administrator: Administrator
  ) async throws(ServiceError) -> Account {
    let account = try await stored(async: await storage.account(name))
    guard let account else { throw ServiceError(.accountUnknown) }
    return account
  }

  /// Finds the account with a handle.
  ///
  /// - Throws: `account.unknown` if no account has the handle; or a storage code.
  public func account(
    handle: UserHandle, by administrator: Administrator
  ) async throws(ServiceError) -> Account {
    let account = try await stored(async: await storage.account(handle))
    guard let account else { throw ServiceError(.accountUnknown) }
    return account
  }

  /// Creates an active account, and the code with which its owner registers a passkey. The console creates the first
  /// administrator this way.
  ///
  /// - Parameters:
  ///   - names: The names of the account.
  ///   - roles: The roles of the account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console (``Administrator/console``) needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The account, and the code for its first passkey, valid for ``ServicePolicy/recoveryLifetime``.
  /// - Throws: `account.name-refused`, `account.username-invalid`, `account.username-taken`, `account.email-taken` or
  ///   `account.role-invalid`; `step-up.required` or `step-up.grant-refused`;
  ///   `account.not-permitted` if the administrator lost the role meanwhile; or a storage code.
  public func createAccount(
    _ names: AccountNames, roles: Set<Role> = [], by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil,
    in context: CallContext
  ) async throws(ServiceError) -> (account: Account, code: OneTimeCode) {
    try policy.identifiers.check(names)
    let account = Account(
      handle: try UserHandle(policy.identifiers.handles, random: random), names: names, state: .active,
      roles: try Role.roles(roles), created: context.time)
    let code = try OneTimeCode(random: random)
    let issued = IssuedCode(
      digest: code.digest, purpose: .firstPasskey, account: account.handle, issuer: administrator.handle,
      created: context.time, expiry: context.time + policy.recoveryLifetime)
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    let audit =
      spent + [
        try draft(
          .accountCreated, by: administrator.handle, of: account.handle, subject: .account(account.handle),
          details: ["state": account.state.rawValue, "by": "administrator", "roles": roles.listed], in: context),
        try draft(
          .recoveryIssued, by: administrator.handle, of: account.handle, subject: .code(code.digest), in: context),
      ]
    try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.create(account, code: issued, spending: grant, audit: audit)
    }
    return (account, code)
  }

  /// Creates an account with an email address only, like the function that takes `AccountNames`.
  public func createAccount(
    _ email: EmailAddress, roles: Set<Role> = [], by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) -> (account: Account, code: OneTimeCode) {
    try await createAccount(
      AccountNames(email: email), roles: roles, by: administrator, confirmation: confirmation, in: context)
  }

  /// Sets the state and the roles of an account in one transaction.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account.
  ///   - state: The new state; nil leaves it as it is. An account cannot become pending again, and only a pending one can
  ///     be rejected.
  ///   - roles: The new roles; nil leaves them as they are.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The changed account.
  /// - Throws: As ``change(_:_:by:confirmation:in:)``.
  @discardableResult
  package func update(
    _ handle: UserHandle, state: Account.State?, roles: Set<Role>?, by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) -> Account {
    let account = try await account(handle: handle, by: administrator)
    let change = try Account.Change.setting(state, roles, of: account)
    return try await self.change(handle, change, by: administrator, confirmation: confirmation, in: context)
  }

  /// Approves, rejects, disables or enables an account, or sets its roles.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account.
  ///   - change: The change to make.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The changed account.
  /// - Throws: `account.unknown`, `account.state-conflict`, `account.last-administrator` or `account.role-invalid`;
  ///   `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a storage code.
  @discardableResult
  public func change(
    _ handle: UserHandle, _ change: Account.Change, by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) -> Account {
    for case .setRoles(let roles) in change.parts { _ = try Role.roles(roles) }
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    var audit = spent
    for part in change.parts {
      audit.append(
        try draft(
          part.event, by: administrator.handle, of: handle, subject: .account(handle), details: part.details,
          in: context))
    }
    return try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.change(handle, change, at: context.time, spending: grant, audit: audit)
    }
  }

  /// Ends all sessions of an account. It requires no confirmation: it can be urgent, and only costs the owner a sign-in.
  ///
  /// - Returns: The number of sessions that ended.
  /// - Throws: `account.unknown`, `account.not-permitted`, or a storage code.
  @discardableResult
  public func revokeAll(
    of handle: UserHandle, by administrator: Administrator, in context: CallContext
  ) async throws(ServiceError) -> Int {
    let audit = [
      try draft(.sessionsRevoked, by: administrator.handle, of: handle, subject: .account(handle), in: context)
    ]
    try await requireAccount(handle)
    let ended = try await stored(
      async: await storage.revokeAll(of: handle, keeping: nil, by: administrator.handle, audit: audit))
    guard let ended else { throw await recordMissingRole(administrator, in: context) }
    return ended
  }

  /// Lists the passkeys of an account, oldest first.
  ///
  /// - Throws: `account.unknown`, or a storage code.
  public func passkeys(
    of handle: UserHandle, by administrator: Administrator
  ) async throws(ServiceError) -> [Passkey] {
    try await requireAccount(handle)
    return try await allPasskeys(of: handle)
  }

  func requireAccount(_ handle: UserHandle) async throws(ServiceError) {
    let account = try await stored(async: await storage.account(handle))
    guard account != nil else { throw ServiceError(.accountUnknown) }
  }

  /// Deletes a passkey of an account, and ends the sessions that it opened.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - handle: The handle of the account.
  ///   - allowingLast: Whether to delete the last usable passkey too. Without one, only a recovery code gives access.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Throws: `passkey.unknown` or `passkey.last`; `step-up.required` or `step-up.grant-refused`;
  ///   `account.not-permitted`; or a storage code.
  package func delete(
    _ id: CredentialID, of handle: UserHandle, allowingLast: Bool = false, by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) {
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    let deleted = try draft(
      .credentialDeleted, by: administrator.handle, of: handle, subject: .credential(id),
      details: ["by": "administrator"], in: context)
    try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.delete(
        id, of: handle, keeping: nil, allowingLast: allowingLast, spending: grant, audit: spent + [deleted])
    }
  }

  /// Erases an account, as its owner can.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Throws: `account.unknown` or `account.last-administrator`; `step-up.required` or `step-up.grant-refused`;
  ///   `account.not-permitted`; or a storage code.
  public func erase(
    _ handle: UserHandle, by administrator: Administrator, confirmation: PresentedConfirmation? = nil,
    in context: CallContext
  ) async throws(ServiceError) {
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    let erased = try draft(
      .accountErased, by: administrator.handle, of: handle, subject: .account(handle), in: context)
    try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.erase(handle, spending: grant, audit: spent + [erased])
    }
  }

  /// Exports all data about an account, as its owner can, and records the export. Use it for requests that arrive
  /// outside a session, such as by letter.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The data, for the owner of the account.
  /// - Throws: `account.unknown`; `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a storage
  ///   code.
  public func export(
    _ handle: UserHandle, by administrator: Administrator, confirmation: PresentedConfirmation? = nil,
    in context: CallContext
  ) async throws(ServiceError) -> AccountExport {
    let account = try await stored(async: await storage.account(handle))
    guard let account else { throw ServiceError(.accountUnknown) }
    if let session = administrator.session {
      guard let confirmation else { throw ServiceError(.stepUpRequired) }
      let (grant, audit) = try grantSpending(administrator, confirmation, in: context)
      do throws(ServiceError) {
        try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
          guard let grant,
            try await stored(async: await storage.spend(grant, audit: audit))
          else { throw ServiceError(.stepUpGrantRefused) }
        }
      } catch {
        throw await refusal(error, administrator, in: context)
      }
    }
    let exported = try draft(
      .accountExported, by: administrator.handle, of: handle, subject: .account(handle),
      details: ["by": "administrator"], in: context)
    try await append(exported)
    return try await exportData(account, in: context)
  }

  /// Returns the grant to spend on an administrative change, and its audit draft. Returns neither for the console.
  func grantSpending(
    _ administrator: Administrator, _ confirmation: PresentedConfirmation?, in context: CallContext
  ) throws(ServiceError) -> (grant: GrantSpending?, audit: [AuditDraft]) {
    guard let session = administrator.session else { return (nil, []) }
    guard let confirmation else { throw ServiceError(.stepUpRequired) }
    var grant = try confirmation.spending(in: session, at: context)
    grant.requiresAdministrator = true
    return (grant, [try draftOfSpending(confirmation, by: session, in: context)])
  }

  /// Runs an administrative store transaction, which checks the administrator role again.
  func administer<Value>(
    _ administrator: Administrator, _ confirmation: PresentedConfirmation?, in context: CallContext,
    _ body: (DatabaseStorage) async throws(StorageError) -> Result<Value, ServiceError>
  ) async throws(ServiceError) -> Value {
    do throws(ServiceError) {
      return try await transact(with: confirmation, of: administrator.session, in: context, body)
    } catch {
      throw await refusal(error, administrator, in: context)
    }
  }

  /// Returns the error to throw for a failed administrative action: `notPermitted` if the grant was refused because the
  /// account no longer has the role, otherwise `error`.
  private func refusal(
    _ error: ServiceError, _ administrator: Administrator, in context: CallContext
  ) async -> ServiceError {
    guard error.code == .stepUpGrantRefused, let handle = administrator.handle,
      let account = try? await storage.account(handle), !account.isActingAdministrator
    else { return error }
    return await recordMissingRole(administrator, in: context)
  }

  /// Records that an account without the administrator role was refused, and returns the error.
  private func recordMissingRole(
    _ administrator: Administrator, in context: CallContext
  ) async -> ServiceError {
    let error = ServiceError(.notPermitted)
    if let handle = administrator.handle {
      await recordRefusal(
        .administrationAttempted, of: handle, by: handle, subject: .account(handle), error: error, in: context)
    }
    return error
  }
}

extension Account.Change {
  /// The single changes that this change consists of.
  fileprivate var parts: [Self] {
    if case .all(let changes) = self { changes.flatMap(\.parts) } else { [self] }
  }

  fileprivate var event: AuditEvent {
    switch self {
    case .approve: .accountApproved
    case .reject: .accountRejected
    case .disable: .accountDisabled
    case .enable: .accountEnabled
    case .setRoles, .all: .accountRolesSet
    }
  }

  fileprivate var details: [String: String] {
    if case .setRoles(let roles) = self { ["roles": roles.listed] } else { [:] }
  }
}

extension Set<Role> {
  var listed: String { map(\.rawValue).sorted().joined(separator: " ") }
}
