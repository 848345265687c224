// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
internal import PasskeyFormats
public import PasskeyStorage
internal import PasskeySystem
public import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The authentication service: registration, sign-in, sessions, step-up, passkeys, devices and accounts.
///
/// Create one instance at start-up and keep it. It is safe to use from any number of tasks, and several servers may
/// share one store. The instance holds only its configuration and caches; all state is in the `Storage`. Each method
/// takes the time and the request's audit details as a ``CallContext``.
public struct AuthService: Sendable {
  /// The relying party that runs the ceremonies, with the attestation policy of the start.
  public let relyingParty: RelyingParty

  /// The service's requirements and limits.
  public let policy: ServicePolicy

  /// The relying party of registrations, with the current attestation policy.
  let current: CurrentRelyingParty

  let storage: DatabaseStorage
  let decoys: DecoyCredentials
  let random: RandomSource

  /// The cached lists that decoys are drawn from; nil until they are loaded.
  let cachedDecoyLists = Locked<CredentialLists?>(nil)

  /// The cached sealer of challenges.
  let sealers = SealerCache()

  /// The budget for records of refused, unauthenticated clients.
  let refusalBudget = RefusalBudget()

  /// The Ed25519 key of the audit log, derived from the secret.
  package let auditKey: SigningKey

  /// The sequencer of ``sweep(at:)``. It remembers the last checkpoint that it saw.
  let sequencer: AuditSequencer

  /// The keys that unknown credentials are verified with.
  let dummyKeys: DummyKeys

  /// The key of the hashes that distinguish known clients.
  let clientKey: SecretBytes

  /// The key from which the codes in mails are derived.
  let mailKey: SecretBytes

  /// Creates a service that keeps its state in a database.
  ///
  /// - Parameters:
  ///   - relyingParty: The relying party that runs the ceremonies.
  ///   - storage: The database. Call `claimStore(at:)` before the first request.
  ///   - decoys: The generator of the passkeys to show for addresses without an account. Its key is the secret of the
  ///     server: the keys of mails, of refresh tokens and of the audit log are derived from it. Keep it for the lifetime of
  ///     the accounts (``/WebAuthnRelyingParty/DecoyCredentials``).
  ///   - policy: The service's requirements and limits.
  /// - Throws: `service.configuration-invalid` if a setting of the policy is invalid or contradicts the relying party's.
  public init(
    relyingParty: RelyingParty, storage: DatabaseStorage, decoys: DecoyCredentials,
    policy: ServicePolicy = ServicePolicy()
  ) throws(ServiceError) {
    try self.init(relyingParty: relyingParty, storage: storage, decoys: decoys, policy: policy, random: .system)
  }

  /// Creates a service as the other initializer does, with another source of all random values. Only tests use it.
  package init(
    relyingParty: RelyingParty, storage: DatabaseStorage, decoys: DecoyCredentials,
    policy: ServicePolicy = ServicePolicy(), random: RandomSource
  ) throws(ServiceError) {
    try policy.require(fitting: relyingParty.policy)
    self.relyingParty = relyingParty
    current = CurrentRelyingParty(relyingParty)
    self.storage = storage
    self.decoys = decoys
    auditKey = try mapError(SigningKey(.ed25519, privateKey: decoys.derivedKey(for: "audit log 1"))) {
      (error: PasskeyCryptoError) in ServiceError(.configurationInvalid, "libcrypto has no Ed25519: \(error)")
    }
    clientKey = decoys.derivedKey(for: "ceremony clients 1")
    mailKey = decoys.derivedKey(for: "mail code 1")
    dummyKeys = DummyKeys(relyingParty.policy.algorithms, seed: decoys.derivedKey(for: "dummy keys 1"))
    self.policy = policy
    self.random = random
    sequencer = AuditSequencer(
      storage, key: auditKey, destinations: policy.destinations.names(wanting: .auditCheckpoint))
  }

  /// Derives a key for the caller's own purpose from the decoys' key. It is the same on every server that shares the
  /// store, and after a restart.
  public func derivedKey(for purpose: String) -> SecretBytes { decoys.derivedKey(for: purpose) }
}
