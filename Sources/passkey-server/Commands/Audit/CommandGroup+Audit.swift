// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  static let audit = Self(
    name: "audit", summary: "verify the audit trail, or show it",
    discussion: [
      "Each record holds the hash of the one before it, so that none can be changed, taken out or put in without the rest being written anew. Keep the trail's end elsewhere now and then: with it, that is found too."
    ],
    members: [AuditVerifyCommand.self, AuditShowCommand.self])
}
