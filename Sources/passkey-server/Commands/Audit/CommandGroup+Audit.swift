// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  static let audit = Self(
    name: "audit", summary: "verify, seal or show the audit trail",
    discussion: [
      """
      Each record contains the hash of the previous one, and the end of the chain is sealed with the server's secret. \
      Without the secret, changed, inserted or removed records are detected. An older copy of the whole database has a \
      valid seal, and so has an earlier end that is put back after newer records were deleted. To detect both, pass \
      --end or --log: the server writes the end of the trail to standard error and the audit log every 1,000 records \
      and every hour.
      """
    ],
    members: [AuditVerifyCommand.self, AuditSealCommand.self, AuditShowCommand.self])
}
