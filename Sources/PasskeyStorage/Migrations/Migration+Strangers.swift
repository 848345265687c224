// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the client that began a ceremony, so that a flooding client loses its own ceremonies first.
  static let ceremonyClients = Migration(
    purpose: "which client began a ceremony", statements: ["ALTER TABLE ceremonies ADD COLUMN client BLOB"], rows: [])

  /// Adds the lists that decoys are drawn from, the same for every server and after every restart.
  static let decoys = Migration(
    purpose: "what decoys are drawn from",
    statements: ["CREATE TABLE decoys (id INTEGER PRIMARY KEY NOT NULL, lists BLOB NOT NULL)"], rows: [])
}
