// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import passkey_server

/// The output of `passkey-server config check --json`.
@Suite struct ConfigCheckTests {
  private func settings(_ command: String, in place: TemporaryFolder) throws -> JSONValue {
    let printed = try Shell.run("\(command) 2>/dev/null", in: place.path)
    return try JSON.parse(Array(printed.utf8)[...]).require("settings")
  }

  @Test func `the printed settings are a settings file with the same effect`() throws {
    let place = try TemporaryFolder()
    for options in [
      "", "--profile aiday --rp-id raxx.app --idle-limit 20m --apple-app TEAM123456.app.raxx", "--profile yapt",
    ] {
      let first = try settings("passkey-server config check --json \(options)", in: place)
      try File.write(Array(first.encoded), to: place.path + "/printed.json")
      let second = try settings("passkey-server config check --json --config printed.json", in: place)
      #expect(Array(first.encoded) == Array(second.encoded), "\(options)")
      #expect(try first.require("sign-up").string == (options.contains("aiday") ? "approval" : "open"))
    }
  }

  @Test func `every member is the name of a setting, and no password is printed`() throws {
    let place = try TemporaryFolder()
    let printed = try settings(
      "passkey-server config check --json --database postgres://u:secret@127.0.0.1/raxx", in: place)
    let names = try printed.members.map(\.name)
    #expect(Set(names).isSubset(of: Setting.all.map(\.name)))
    #expect(names.contains("origin") && names.contains("session-lifetime"))
    #expect(try printed.require("database").string == "PostgreSQL")
  }
}
