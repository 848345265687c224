// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnRelyingParty

extension AuthService {
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
    try self.init(relyingParty: relyingParty, storage: storage as any Storage, decoys: decoys, policy: policy)
  }
}

extension DatabaseStorage {
  /// Returns whether there are no accounts yet. Only then may a server make a new secret.
  ///
  /// - Throws: A storage code.
  public func isEmpty() async throws(StorageError) -> Bool {
    try await accounts(after: nil, matching: AccountFilter(), limit: 1).isEmpty
  }
}
