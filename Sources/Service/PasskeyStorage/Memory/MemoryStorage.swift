// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

/// A store in memory, for tests and experiments. Its contents are lost when the process exits.
///
/// It enforces the same rules as the other stores and returns the same results. As an actor it runs one transaction at
/// a time.
public actor MemoryStorage {
  var spent: Set<CeremonyID> = []
  private var salts: [ChallengeSalt] = []
  var accounts = MemoryAccounts()
  var passkeys = MemoryPasskeys()
  var sessions = MemorySessions()
  var grants: [TokenDigest: StepUpGrant] = [:]
  var codes: [TokenDigest: IssuedCode] = [:]
  var emails = MemoryEmails()
  var clients: [UserHandle: [KnownClient]] = [:]
  var devices = MemoryDevices()
  var preferences: [UserHandle: NotificationPreferences] = [:]
  var trail = MemoryAuditTrail()
  var lists: [UInt8]?
  private var owner: StoreIdentity?

  /// A signal after each transaction that wrote notices.
  package nonisolated let outboxSignal: OutboxSignal

  /// Creates an empty store.
  public init() {
    outboxSignal = trail.outbox.signal
  }

  /// Spends the grant and returns whether it matches. Returns true if no grant is required.
  func spendGrant(_ spending: GrantSpending?) -> Bool {
    guard let spending else { return true }
    guard let grant = grants.removeValue(forKey: spending.digest) else { return false }
    switch spending.judge(grant) {
    case .accepted: break
    case .refused: return false
    case .kept(let kept):
      grants[kept.digest] = kept
      return false
    }
    return !spending.requiresAdministrator || accounts[spending.user]?.isActingAdministrator == true
  }

  /// Runs an action if its grant matches, and appends its audit records. A refused action is recorded only if it spent a
  /// grant.
  func perform<Outcome: ConfirmedOutcome>(
    spending grant: GrantSpending?, _ audit: [AuditDraft], _ act: () throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    guard spendGrant(grant) else { return .grantRefused }
    let outcome = try act()
    if let code = outcome.refusal {
      if grant != nil { trail.seal(audit.refused(with: code)) }
    } else {
      trail.seal(audit)
    }
    return outcome
  }

  /// Stores a client, in place of the same one with another expiry.
  func store(_ client: KnownClient) {
    clients[client.user, default: []].removeAll { $0.key == client.key }
    clients[client.user, default: []].append(client)
  }

  /// Opens a session and ends the account's oldest sessions above the maximum.
  func open(_ opening: SessionOpening) {
    sessions.insert(opening)
    let ended = sessions.all(of: opening.session.user).map(\.id).dropLast(opening.maximumCount)
    end(ended)
    trail.seal(ended.compactMap(opening.draft))
  }

  /// Ends sessions and deletes their refresh tokens and grants.
  func end(_ ids: some Sequence<AccountSessionID>) {
    let ended = Set(ids)
    guard !ended.isEmpty else { return }
    sessions.remove(ended)
    grants = grants.filter { !ended.contains($0.value.session) }
  }
}

extension MemoryStorage: Storage {
  /// Returns the recorded identity of the store, or nil.
  package func identity() throws(StorageError) -> StoreIdentity? { owner }

  /// Returns the recorded identity of the store: its relying party ID and the check value of the server secret. Records
  /// the identity, seals the audit chain and begins the audit log first if `StoreClaim.changes(found:end:hasAccounts:)`
  /// requires it.
  package func claim(_ claim: StoreClaim) throws(StorageError) -> StoreIdentity {
    let end = trail.log.logs.isEmpty ? trail.end : nil
    let changes = claim.changes(found: owner, end: end, hasAccounts: !accounts.isEmpty)
    if changes.writesIdentity { owner = changes.identity }
    if let seal = changes.seal { trail.setSeal(seal) }
    if changes.beginsLog, let beginning = claim.beginning { _ = try beginAuditLog { _ in beginning } }
    return changes.identity
  }

  /// Does nothing: memory is always writable.
  package func check() throws(StorageError) {}
}

extension MemoryStorage {
  /// Returns the passkey with the credential ID, its account, and whether the ceremony is spent or its salt is gone.
  package func presented(
    _ credential: CredentialID, in ceremony: CeremonyID, sealedWith salt: ChallengeSalt
  ) throws(StorageError) -> PresentedCredential {
    let passkey = passkeys[credential]
    return PresentedCredential(
      passkey: passkey, account: passkey.flatMap { accounts[$0.user] },
      isSpent: spent.contains(ceremony) || !salts.contains(salt))
  }

  /// Spends a ceremony. Returns false if it is spent already.
  package func spend(_ ceremony: CeremonyID) throws(StorageError) -> Bool { spent.insert(ceremony).inserted }

  /// Returns the salts of challenges, the newest first.
  package func challengeSalts() throws(StorageError) -> [ChallengeSalt] { salts }

  /// Adds a salt, unless one is as new as `time`, and deletes those of other times. Returns the salts.
  package func addChallengeSalt(
    _ salt: ChallengeSalt, unlessSince time: UnixTime, deletingOutside lifetime: ClosedRange<UnixTime>
  ) throws(StorageError) -> [ChallengeSalt] {
    salts.removeAll { !(lifetime ~= $0.created) }
    if salts.first.map({ $0.created < time }) ?? true { salts.insert(salt, at: 0) }
    return salts
  }

  /// Deletes all salts and adds one.
  package func replaceChallengeSalts(with salt: ChallengeSalt) throws(StorageError) { salts = [salt] }
}

extension MemoryStorage {
  /// Stores a one-time code. A code for an account replaces the account's earlier codes.
  package func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> CodeIssueOutcome {
    try perform(spending: grant, audit) { () throws(StorageError) in
      if let account = code.account, accounts[account] == nil { return .unknownAccount }
      try checkUnused(code)
      if let account = code.account {
        codes = codes.filter { $0.value.account != account }
        emails.remove { $0.account == account && $0.purpose == .recovery }
      }
      codes[code.digest] = code
      return .issued
    }
  }

  /// Returns the one-time code with this digest, or nil.
  package func code(_ digest: TokenDigest) throws(StorageError) -> IssuedCode? {
    codes[digest]
  }

  func checkUnused(_ code: IssuedCode) throws(StorageError) {
    guard codes[code.digest] == nil else { throw StorageError(.conflict, "code") }
  }
}

extension MemoryStorage {
  /// Returns the credential descriptors of enabled passkeys, grouped by account, from at most `limit` passkeys of
  /// accounts that are neither pending nor await a verification.
  package func credentialLists(limit: Int) throws(StorageError) -> [[CredentialDescriptor]] {
    var rest = limit
    var lists: [[CredentialDescriptor]] = []
    for account in accounts.sorted where account.state != .pending && !account.awaitsVerification {
      let passkeys = passkeys.all(of: account.handle)
      guard passkeys.count <= rest else { break }
      rest -= passkeys.count
      lists.append(passkeys.filter { !$0.isDisabled }.map(\.record.descriptor))
    }
    return lists
  }

  /// Returns the stored lists from which decoys are drawn, or nil.
  package func decoyLists() throws(StorageError) -> [UInt8]? { lists }

  /// Stores the lists from which decoys are drawn unless there are some, or replaces those. Returns the stored lists.
  package func storeDecoyLists(_ lists: [UInt8], replacing: Bool) throws(StorageError) -> [UInt8] {
    let kept = replacing ? lists : self.lists ?? lists
    self.lists = kept
    return kept
  }
}
