// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// Who the user is: every verb of signing up and in, of sessions, confirmations, passkeys, devices and accounts.
///
/// Make one at start-up and keep it; it may be used from any number of tasks, and several servers may have one on the same
/// store. It holds nothing but what was chosen: what happens is in the ``Storage``. Each verb is given the time and whatever
/// else audit records say of a request (``RequestContext``).
public struct AuthService: Sendable {
  /// The relying party whose ceremonies these are.
  public let relyingParty: RelyingParty

  /// What is demanded and allowed.
  public let policy: ServicePolicy

  let storage: any Storage
  let decoys: DecoyCredentials
  let auditKey: AuditKey
  let random: RandomSource

  /// What decoys are drawn from.
  let decoyLists = DecoyLists()

  /// The key under which clients are told from each other in pending ceremonies.
  let clientKey: SecretBytes

  /// Puts a service together.
  ///
  /// `decoys` are shown in place of the passkeys of whoever has no account; their key is as old as the accounts
  /// (``/WebAuthnRelyingParty/DecoyCredentials``).
  public init(
    relyingParty: RelyingParty, storage: any Storage, decoys: DecoyCredentials,
    policy: ServicePolicy = ServicePolicy(), random: RandomSource = .system
  ) throws(ServiceError) {
    if let fault = policy.fault { throw ServiceError(.configurationInvalid, fault) }
    // A relying party that refuses itself leaves nothing to disable by.
    if policy.cloneSignal == .disable, relyingParty.policy.signCount == .refuse {
      throw ServiceError(.configurationInvalid, "a relying party that reports counters, to disable what was cloned")
    }
    if policy.backupSignal == .disable, relyingParty.policy.backupEligibilityChange == .refuse {
      throw ServiceError(.configurationInvalid, "a relying party that reports backups, to disable what has moved")
    }
    self.relyingParty = relyingParty
    self.storage = storage
    self.decoys = decoys
    auditKey = AuditKey(decoys.derivedKey(for: "audit end"))
    clientKey = decoys.derivedKey(for: "ceremony clients 1")
    self.policy = policy
    self.random = random
  }

  /// A key for a purpose of a floor above, derived from the decoys' key: the same on every server that shares the store,
  /// and after a restart.
  public func derivedKey(for purpose: String) -> SecretBytes { decoys.derivedKey(for: purpose) }

  /// Asks the store, with this floor's error.
  func ask<Answer>(
    _ question: (any Storage) async throws(StorageError) -> Answer
  ) async throws(ServiceError) -> Answer {
    do throws(StorageError) {
      return try await question(storage)
    } catch {
      throw ServiceError(error)
    }
  }
}
