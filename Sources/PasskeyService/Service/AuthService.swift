// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The authentication service: registration, sign-in, sessions, step-up, passkeys, devices and accounts.
///
/// Create one instance at start-up and keep it. It is safe to use from any number of tasks, and several servers may
/// share one store. The instance holds only its configuration and caches; all state is in the ``Storage``. Each method
/// takes the time and the request's audit details as a ``RequestContext``.
public struct AuthService: Sendable {
  /// The relying party that runs the ceremonies.
  public let relyingParty: RelyingParty

  /// The service's requirements and limits.
  public let policy: ServicePolicy

  let storage: any Storage
  let decoys: DecoyCredentials
  let auditKey: AuditKey
  let random: RandomSource

  /// The cached lists that decoys are drawn from.
  let decoyLists = DecoyLists()

  /// The key of the hashes that distinguish clients in pending ceremonies.
  let clientKey: SecretBytes

  /// Creates a service.
  ///
  /// `decoys` generates the passkeys to show for addresses without an account. Keep its key for the lifetime of the
  /// accounts (``/WebAuthnRelyingParty/DecoyCredentials``).
  public init(
    relyingParty: RelyingParty, storage: any Storage, decoys: DecoyCredentials,
    policy: ServicePolicy = ServicePolicy(), random: RandomSource = .system
  ) throws(ServiceError) {
    if let fault = policy.fault { throw ServiceError(.configurationInvalid, fault) }
    // If the relying party itself refuses the assertion, the service gets no signal and cannot disable the passkey.
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

  /// Returns a key for the caller's own purpose, derived from the decoys' key: the same on every server that shares the
  /// store, and after a restart.
  public func derivedKey(for purpose: String) -> SecretBytes { decoys.derivedKey(for: purpose) }

  /// Calls the store and wraps its error in a ``ServiceError``.
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
