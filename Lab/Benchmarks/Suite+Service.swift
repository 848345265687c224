// SPDX-License-Identifier: Apache-2.0

internal import CodecProperties
internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

extension Suite {
  /// The service's part of a sign-in beside the ceremony and the database. `Scripts/bench --server` measures the whole.
  static func service() throws -> [Benchmark] {
    [
      Benchmark("service.audit.record") {
        let draft = try auditDraft()
        return { keep(draft.logged(as: 1)) }
      }
    ]
  }

  private static func auditDraft() throws -> AuditDraft {
    let handle = try UserHandle([UInt8](repeating: 1, count: 32))
    return AuditDraft(
      time: UnixTime(secondsSince1970: 1_800_000_000), actor: handle, account: handle, event: .sessionOpened,
      subject: "session:AAAAAAAAAAAAAAAAAAAAAA",
      requestID: "01J00000000000000000000000", details: ["credential": "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"],
      personalDetails: [
        PersonalDetail(name: .address, person: handle, salt: [UInt8](repeating: 3, count: 32), value: "192.0.2.7")
      ])
  }
}
