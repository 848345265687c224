// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  static let audit = Self(
    name: "audit", summary: "verify, seal or show the audit trail",
    discussion: [
      "Each record holds the hash of the one before it, and the end of the chain is sealed with the server's secret: without the secret, nobody can change, insert, remove or cut off records unnoticed. An older copy of the whole database has a seal that fits. The server tells the trail's end on standard error and in the audit log, with every 1,000 records and every hour: with --end or --log, a verification finds that too."
    ],
    members: [AuditVerifyCommand.self, AuditSealCommand.self, AuditShowCommand.self])
}
