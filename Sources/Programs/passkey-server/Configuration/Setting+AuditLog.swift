// SPDX-License-Identifier: Apache-2.0

// The settings of the transparency log.

extension Setting {
  static let auditWitnesses = Self(
    name: "audit-witness", valueName: "WITNESS", isList: true,
    help:
      "ask this witness to cosign checkpoints of the transparency log: its verifier key, a space, and its URL (none)")
  static let auditTiles = Self(
    name: "audit-tiles", valueName: "on|off", standard: "off", choices: ["on", "off"],
    help: "show the checkpoints and hashes of the transparency log to everyone, at /api/audit")

  static let auditLogSettings = [auditWitnesses, auditTiles]
}

/// Whether monitors may read the transparency log (`--audit-tiles`).
enum AuditTilesChoice: String, CaseIterable {
  case on, off
}
