// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

/// Storage of the audit trail. It is append-only, except that personal details can be deleted.
package protocol AuditStorage: Sendable {
  /// Appends records of events that change nothing else in the store. Leaves out personal details about accounts that
  /// do not exist: a server may still hold a session of an account that another server has erased, and nothing would
  /// ever delete such details.
  ///
  /// If a ceremony is given, spends it in the same transaction.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func append(_ drafts: [AuditDraft], spending ceremony: CeremonyID?) async throws(StorageError)

  /// Reads entries in the order of their numbers.
  ///
  /// - Parameters:
  ///   - sequence: The number after which to start.
  ///   - account: The account that is the actor of the entries or that they concern; nil for all entries.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A ``StorageError`` if the store fails.
  func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry]
}

extension AuditStorage {
  /// Appends records as the function with a ceremony does.
  package func append(_ drafts: [AuditDraft]) async throws(StorageError) { try await append(drafts, spending: nil) }
}
