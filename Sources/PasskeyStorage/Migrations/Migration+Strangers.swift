// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the client that began a ceremony, so that a flooding client loses its own ceremonies first.
  static let ceremonyClients = Migration(
    purpose: "which client began a ceremony", statements: ["ALTER TABLE ceremonies ADD COLUMN client BLOB"], rows: [])

  /// Adds the lists from which decoys are drawn, shared by all servers and kept across restarts.
  static let decoys = Migration(
    purpose: "what decoys are drawn from",
    statements: ["CREATE TABLE decoys (id INTEGER PRIMARY KEY NOT NULL, lists BLOB NOT NULL)"], rows: [])

  /// Adds the sentinel's passkeys, so that a lookup without a result costs the same as one of an account with several
  /// passkeys.
  static let sentinelPasskeys = Migration(
    purpose: "stand-ins for passkeys that are not found", statements: [Sentinel.passkeyTable, Sentinel.passkeyIndex],
    rows: Sentinel.passkeyInsertions)
}
