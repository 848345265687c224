// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
internal import PasskeyStorage

extension InterceptedStorage {
  package func confirm(_ commit: StepUpCommit) async throws(StorageError) -> StepUpOutcome {
    let storage = try intercepted()
    await interfere()
    return try await storage.confirm(commit)
  }

  package func grant(
    _ grant: StepUpGrant, afterRemovalAt removal: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let storage = try intercepted()
    await interfere()
    return try await storage.grant(grant, afterRemovalAt: removal, audit: audit)
  }

  package func spend(_ grant: GrantSpending, audit: [AuditDraft]) async throws(StorageError) -> Bool {
    let storage = try intercepted()
    await interfere()
    return try await storage.spend(grant, audit: audit)
  }
}
