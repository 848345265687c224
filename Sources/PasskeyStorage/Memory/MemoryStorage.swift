// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnTypes

/// A store that is gone with the process: for tests, and to try something out.
///
/// It is as strict as the others and answers as they do; being an actor, it makes one transaction after the other.
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

  /// Starts with nothing stored.
  public init() {}

  /// Takes a grant out and says whether it fits; where none is demanded, nothing has to fit.
  func spendIfGiven(_ spending: GrantSpending?) -> Bool {
    guard let spending else { return true }
    guard let grant = grants.removeValue(forKey: spending.digest), spending.fits(grant) else { return false }
    return !spending.takesAdministrator || accounts[spending.user]?.isActingAdministrator == true
  }

  /// Carries an act out, where its grant fits, and records it; also that it was refused, where a grant was spent on it.
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

  /// Opens a session, and ends the oldest ones of its account where there are more than there may be.
  func open(_ opening: SessionOpening) {
    sessions.insert(opening)
    let ended = sessions.all(of: opening.session.user).map(\.id).dropLast(opening.maximumCount)
    end(ended)
    trail.seal(ended.compactMap(opening.draft))
  }

  /// Ends sessions with everything that hangs on them.
  func end(_ ids: some Sequence<SessionID>) {
    let ended = Set(ids)
    guard !ended.isEmpty else { return }
    sessions.remove(ended)
    grants = grants.filter { !ended.contains($0.value.session) }
  }
}

extension MemoryStorage: Storage {
  /// Says whose the store is.
  public func claim(_ claim: StoreClaim) throws(StorageError) -> StoreIdentity {
    let settlement = claim.settled(found: owner, end: trail.end, hasAccounts: !accounts.isEmpty)
    if settlement.writesIdentity { owner = settlement.identity }
    if let seal = settlement.seal { trail.setSeal(seal) }
    return settlement.identity
  }

  /// Memory can always be written to.
  public func check() throws(StorageError) {}
}
