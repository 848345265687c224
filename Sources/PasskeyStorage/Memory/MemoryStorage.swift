// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnTypes

/// A store in memory, for tests and experiments. Its contents are lost when the process exits.
///
/// It enforces the same rules as the other stores and returns the same results. As an actor it runs one transaction at
/// a time.
public actor MemoryStorage {
  var ceremonies = PendingCeremonies()
  var accounts = MemoryAccounts()
  var passkeys = MemoryPasskeys()
  var sessions = MemorySessions()
  var grants: [TokenDigest: StepUpGrant] = [:]
  var codes: [TokenDigest: IssuedCode] = [:]
  var devices = MemoryDevices()
  var trail = MemoryTrail()
  var lists: [UInt8]?
  private var owner: StoreIdentity?

  /// Creates an empty store.
  public init() {}

  /// Removes the grant and returns whether it fits. Returns true if no grant is required.
  func spendIfGiven(_ spending: GrantSpending?) -> Bool {
    guard let spending else { return true }
    guard let grant = grants.removeValue(forKey: spending.digest), spending.fits(grant) else { return false }
    return !spending.takesAdministrator || accounts[spending.user]?.isActingAdministrator == true
  }

  /// Runs an action if its grant fits, and appends its audit records. A refused action is recorded only if it spent a
  /// grant.
  func carryOut<Outcome: ConfirmedOutcome>(
    spending grant: GrantSpending?, _ audit: [AuditDraft], _ act: () throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    guard spendIfGiven(grant) else { return .grantRefused }
    let outcome = try act()
    if let code = outcome.refusal {
      if grant != nil { trail.seal(audit.refused(with: code)) }
    } else {
      trail.seal(audit)
    }
    return outcome
  }

  /// Opens a session and ends the account's oldest sessions above the maximum.
  func open(_ opening: SessionOpening) {
    sessions.insert(opening)
    let ended = sessions.all(of: opening.session.user).map(\.id).dropLast(opening.maximumCount)
    end(ended)
    trail.seal(ended.compactMap(opening.draft))
  }

  /// Ends sessions and deletes their refresh tokens and grants.
  func end(_ ids: some Sequence<SessionID>) {
    let ended = Set(ids)
    guard !ended.isEmpty else { return }
    sessions.remove(ended)
    grants = grants.filter { !ended.contains($0.value.session) }
  }
}

extension MemoryStorage: Storage {
  /// Returns the recorded identity of the store: its relying party ID and the check value of the server secret. Records
  /// the identity and seals the audit chain first if `StoreClaim.settled(found:end:hasAccounts:)` requires it.
  public func claim(_ claim: StoreClaim) throws(StorageError) -> StoreIdentity {
    let settlement = claim.settled(found: owner, end: trail.end, hasAccounts: !accounts.isEmpty)
    if settlement.writesIdentity { owner = settlement.identity }
    if let seal = settlement.seal { trail.setSeal(seal) }
    return settlement.identity
  }

  /// Does nothing: memory is always writable.
  public func check() throws(StorageError) {}
}
