// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Proofs from the export of a person, verified offline by the person.
@Suite struct ExportedProofTests {
  @Test func `proofs of an export verify offline, also after the account is erased`() throws {
    let place = try TemporaryFolder()
    func run(_ command: String) throws -> String { try Shell.run(command, in: place.path) }
    _ = try run("passkey-server init ada@raxx.app; passkey-server user add bob@raxx.app")
    _ = try run("passkey-server user disable bob@raxx.app")
    let export = try JSON.parse(run("passkey-server user export bob@raxx.app"))
    #expect(try export.require("version").integer(Int.self) == 6)
    let key = try export.require("auditKey").string
    #expect(try run("passkey-server audit key") == key + "\n")
    var proven: [String] = []
    for (index, entry) in try export.require("audit").array.enumerated() {
      guard let proof = try entry["proof"]?.string else { continue }
      try File.write(Array(proof.utf8), to: "\(place.path)/\(index).tlog-proof")
      proven.append(try entry.require("event").string)
    }
    // The record of the export itself waits for its place.
    #expect(proven == ["account.created", "recovery.issued", "account.disabled"])
    func verify() throws {
      for (index, event) in proven.enumerated() {
        let printed = try JSON.parse(run("passkey audit-proof --json --key '\(key)' \(index).tlog-proof"))
        #expect(try printed.require("record").require("event").string == event)
      }
    }
    try verify()
    _ = try run("passkey-server user erase --yes bob@raxx.app; mkdir away; mv passkey.s* away")
    try verify()
    #expect(try run("mv away/* .; passkey-server audit verify --json").contains(#""waiting":0"#))
    // A proof of another place does not verify.
    _ = try run("sed -i 's/^index 3$/index 2/' 0.tlog-proof")
    #expect(try run("passkey audit-proof --key '\(key)' 0.tlog-proof").hasSuffix("[7]\n"))
  }
}
