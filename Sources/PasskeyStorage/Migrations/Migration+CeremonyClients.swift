// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Who began a ceremony, so that a flooding client loses its own when there is no room for all.
  static let ceremonyClients = Migration(
    purpose: "which client began a ceremony", statements: ["ALTER TABLE ceremonies ADD COLUMN client BLOB"], rows: [])
}
