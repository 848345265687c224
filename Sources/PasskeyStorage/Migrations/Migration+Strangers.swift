// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the client that began a ceremony, so that a flooding client loses its own ceremonies first.
  static let ceremonyClients = Migration(
    purpose: "which client began a ceremony", statements: ["ALTER TABLE ceremonies ADD COLUMN client BLOB"], rows: [])

  /// Adds the lists that decoys are drawn from, the same for every server and after every restart.
  static let decoys = Migration(
    purpose: "what decoys are drawn from",
    statements: ["CREATE TABLE decoys (id INTEGER PRIMARY KEY NOT NULL, lists BLOB NOT NULL)"], rows: [])

  /// Adds passkeys of the sentinel, so that to find no account takes the same work as to find one with several passkeys.
  static let sentinelPasskeys = Migration(
    purpose: "stand-ins for passkeys that are not found", statements: [Sentinel.passkeyTable, Sentinel.passkeyIndex],
    rows: Sentinel.passkeyInsertions)
}
