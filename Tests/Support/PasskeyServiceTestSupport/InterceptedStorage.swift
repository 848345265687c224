// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import PasskeyService
package import PasskeyStorage
internal import PasskeySystem
package import WebAuthnTypes

/// A store that can fail on demand, and can run a concurrent change between a verification and its commit.
package final class InterceptedStorage: Sendable {
  let storage: DatabaseStorage
  private let state = Locked(State())

  private struct State: Sendable {
    var error: StorageError?
    var failingCall: String?
    var interference: (@Sendable (DatabaseStorage) async -> Void)?
    var alteration: (@Sendable (inout Account) -> Void)?
    var calls: [String] = []
    var starts: [EmailCeremonyStart] = []
  }

  package init(_ storage: DatabaseStorage) {
    self.storage = storage
  }

  /// Makes one method, or all, fail with this error from now on; nil ends that.
  package func fail(with error: StorageError?, in call: String? = nil) {
    state.withLock { (state) in
      state.error = error
      state.failingCall = call
    }
  }

  /// Runs this before it writes a sign-in, a confirmation, an administrator's change or decoys; nil ends that.
  package func beforeCommit(_ body: (@Sendable (DatabaseStorage) async -> Void)?) {
    state.withLock { $0.interference = body }
  }

  /// Reports this state for the accounts of sessions.
  package func alterSessionAccounts(_ body: @escaping @Sendable (inout Account) -> Void) {
    state.withLock { $0.alteration = body }
  }

  /// Returns the calls since the last time.
  package func takeCalls() -> [String] {
    state.withLock { (state) in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// The email ceremonies that were begun.
  package var starts: [EmailCeremonyStart] { state.withLock { $0.starts } }

  func intercepted(_ call: String = #function) throws(StorageError) -> DatabaseStorage {
    let error = state.withLock { (state) in
      let name = String(call.prefix { $0 != "(" })
      state.calls.append(name)
      return state.failingCall == nil || state.failingCall == name ? state.error : nil
    }
    if let error { throw error }
    return storage
  }

  func interfere() async {
    let interference = state.withLock { $0.interference }
    await interference?(storage)
  }
}

extension InterceptedStorage: Storage {
  package var outboxSignal: OutboxSignal { storage.outboxSignal }

  package func enqueue(_ notices: [RoutedNotice]) async throws(StorageError) {
    try await intercepted().enqueue(notices)
  }

  package func claim(_ claim: OutboxClaim) async throws(StorageError) -> [OutboxItem] {
    try await intercepted().claim(claim)
  }

  package func settle(_ item: OutboxItem, _ outcome: OutboxOutcome, at time: UnixTime) async throws(StorageError) {
    try await intercepted().settle(item, outcome, at: time)
  }

  package func outboxItems(
    _ selection: OutboxSelection, after number: Int64, limit: Int
  ) async throws(StorageError) -> [OutboxItem] {
    try await intercepted().outboxItems(selection, after: number, limit: limit)
  }

  package func requeue(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int {
    try await intercepted().requeue(selection, at: time)
  }

  package func drop(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int {
    try await intercepted().drop(selection, at: time)
  }

  package func outboxCounts() async throws(StorageError) -> [OutboxCount] { try await intercepted().outboxCounts() }

  package func announceExpiring(
    until end: UnixTime, at time: UnixTime, to destinations: [DestinationName], limit: Int
  ) async throws(StorageError) -> Int {
    try await intercepted().announceExpiring(until: end, at: time, to: destinations, limit: limit)
  }

  package func identity() async throws(StorageError) -> StoreIdentity? { try await intercepted().identity() }

  package func claim(
    _ identity: StoreIdentity, beginning: AuditLogBeginning
  ) async throws(StorageError) -> StoreIdentity {
    try await intercepted().claim(identity, beginning: beginning)
  }

  package func credentialLists(limit: Int) async throws(StorageError) -> [[CredentialDescriptor]] {
    try await intercepted().credentialLists(limit: limit)
  }

  package func decoyLists() async throws(StorageError) -> [UInt8]? { try await intercepted().decoyLists() }

  package func storeDecoyLists(_ lists: [UInt8], replacing: Bool) async throws(StorageError) -> [UInt8] {
    await interfere()
    return try await intercepted().storeDecoyLists(lists, replacing: replacing)
  }

  package func check() async throws(StorageError) { try await intercepted().check() }

  package func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int {
    try await intercepted().sweep(bounds, limit: limit)
  }

  package func account(_ handle: UserHandle) async throws(StorageError) -> Account? {
    try await intercepted().account(handle)
  }

  package func account(_ name: AccountName) async throws(StorageError) -> Account? {
    try await intercepted().account(name)
  }

  package func candidate(
    _ name: AccountName, limit: Int, standInCount: Int
  ) async throws(StorageError) -> SignInCandidate? {
    try await intercepted().candidate(name, limit: limit, standInCount: standInCount)
  }

  package func accounts(
    after handle: UserHandle?, matching filter: AccountFilter, limit: Int
  ) async throws(StorageError) -> [Account] {
    try await intercepted().accounts(after: handle, matching: filter, limit: limit)
  }

  package func accountCount(matching filter: AccountFilter) async throws(StorageError) -> Int {
    try await intercepted().accountCount(matching: filter)
  }

  package func approve(
    _ approvals: [(handle: UserHandle, audit: [AuditDraft])], at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> AccountApprovalOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.approve(approvals, at: time, spending: grant, audit: audit)
  }

  package func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountCreationOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.create(account, code: code, spending: grant, audit: audit)
  }

  package func change(
    _ handle: UserHandle, _ change: AccountChange, at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> AccountChangeOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.change(handle, change, at: time, spending: grant, audit: audit)
  }

  package func preferences(of user: UserHandle) async throws(StorageError) -> NotificationPreferences {
    try await intercepted().preferences(of: user)
  }

  package func setPreferences(
    _ preferences: NotificationPreferences, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await intercepted().setPreferences(preferences, of: user, audit: audit)
  }

  package func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountErasureOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.erase(handle, spending: grant, audit: audit)
  }

  package func passkey(_ id: CredentialID) async throws(StorageError) -> Passkey? {
    try await intercepted().passkey(id)
  }

  package func passkeys(of user: UserHandle) async throws(StorageError) -> [Passkey] {
    try await intercepted().passkeys(of: user)
  }

  package func passkeys(after id: CredentialID?, limit: Int) async throws(StorageError) -> [Passkey] {
    try await intercepted().passkeys(after: id, limit: limit)
  }

  package func register(_ commit: RegistrationCommit) async throws(StorageError) -> RegistrationOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.register(commit)
  }

  package func rename(
    _ id: CredentialID, of user: UserHandle, to name: CredentialName, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await intercepted().rename(id, of: user, to: name, audit: audit)
  }

  package func delete(
    _ id: CredentialID, of user: UserHandle, keeping session: AccountSessionID?, allowingLast: Bool,
    spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CredentialDeletionOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.delete(
      id, of: user, keeping: session, allowingLast: allowingLast, spending: grant, audit: audit)
  }

  package func disable(
    _ id: CredentialID, of user: UserHandle, cloneSignal: UnixTime?, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await intercepted().disable(id, of: user, cloneSignal: cloneSignal, audit: audit)
  }

  package func signIn(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.signIn(commit)
  }

  package func knownClients(of user: UserHandle) async throws(StorageError) -> [KnownClient] {
    try await intercepted().knownClients(of: user)
  }

  package func session(token: TokenDigest) async throws(StorageError) -> (session: AccountSession, account: Account)? {
    guard var found = try await intercepted().session(token: token) else { return nil }
    let alteration = state.withLock { $0.alteration }
    alteration?(&found.account)
    return found
  }

  package func touch(_ session: AccountSessionID, at time: UnixTime) async throws(StorageError) {
    try await intercepted().touch(session, at: time)
  }

  package func sessions(
    of user: UserHandle, but ended: SweepBounds?, keeping session: AccountSessionID?, limit: Int
  ) async throws(StorageError) -> [AccountSession] {
    try await intercepted().sessions(of: user, but: ended, keeping: session, limit: limit)
  }

  package func sessionCount(at time: UnixTime) async throws(StorageError) -> Int {
    try await intercepted().sessionCount(at: time)
  }

  package func revoke(
    _ session: AccountSessionID, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await intercepted().revoke(session, of: user, audit: audit)
  }

  package func revokeAll(
    of user: UserHandle, keeping session: AccountSessionID?, by administrator: UserHandle?, audit: [AuditDraft]
  ) async throws(StorageError) -> Int? {
    let storage = try intercepted()
    await interfere()
    return try await storage.revokeAll(of: user, keeping: session, by: administrator, audit: audit)
  }

  package func refreshToken(_ digest: TokenDigest) async throws(StorageError) -> RefreshToken? {
    try await intercepted().refreshToken(digest)
  }

  package func renew(_ renewal: SessionRenewal) async throws(StorageError) -> RenewalOutcome {
    try await intercepted().renew(renewal)
  }

  package func reverify(_ commit: ReverificationCommit) async throws(StorageError) -> ReverificationOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.reverify(commit)
  }

  package func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CodeIssueOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.issue(code, spending: grant, audit: audit)
  }

  package func begin(
    _ start: EmailCeremonyStart, spending grant: GrantSpending?
  ) async throws(StorageError) -> EmailStartOutcome {
    state.withLock { $0.starts.append(start) }
    let storage = try intercepted()
    await interfere()
    return try await storage.begin(start, spending: grant)
  }

  package func emailCeremony(_ id: EmailCeremonyID) async throws(StorageError) -> EmailCeremony? {
    try await intercepted().emailCeremony(id)
  }

  package func emailCeremony(token: TokenDigest) async throws(StorageError) -> EmailCeremony? {
    try await intercepted().emailCeremony(token: token)
  }

  package func emailCeremonies(of user: UserHandle) async throws(StorageError) -> [EmailCeremony] {
    try await intercepted().emailCeremonies(of: user)
  }

  package func repeatMail(_ repetition: EmailRepetition) async throws(StorageError) -> Bool {
    try await intercepted().repeatMail(repetition)
  }

  package func countWrongCode(
    for ceremony: EmailCeremony, atMost maximumCount: Int, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Int? {
    let storage = try intercepted()
    await interfere()
    return try await storage.countWrongCode(for: ceremony, atMost: maximumCount, at: time, audit: audit)
  }

  package func complete(_ completion: EmailCompletion) async throws(StorageError) -> EmailCompletionOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.complete(completion)
  }

  package func cancelRecovery(
    of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let storage = try intercepted()
    await interfere()
    return try await storage.cancelRecovery(of: user, at: time, audit: audit)
  }

  package func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode? {
    try await intercepted().code(digest)
  }

  package func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> DeviceRegistrationOutcome {
    try await intercepted().register(device, maximumCount: maximumCount, audit: audit)
  }

  package func devices(of user: UserHandle) async throws(StorageError) -> [Device] {
    try await intercepted().devices(of: user)
  }

  package func revokeDevice(
    _ selection: DeviceSelection, of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await intercepted().revokeDevice(selection, of: user, at: time, audit: audit)
  }

  package func append(_ drafts: [AuditDraft], spending ceremony: CeremonyID?) async throws(StorageError) {
    try await intercepted().append(drafts, spending: ceremony)
  }

  package func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry] {
    try await intercepted().auditEntries(after: sequence, of: account, limit: limit)
  }
}
