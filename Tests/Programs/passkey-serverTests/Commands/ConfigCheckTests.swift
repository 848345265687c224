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

  @Test(arguments: [
    ("postgres://u:secret@127.0.0.1/raxx", "644", true), ("postgres://u@127.0.0.1/raxx?password=secret", "644", true),
    ("postgres://u:secret@127.0.0.1/raxx", "640", false), ("postgres://u@127.0.0.1:5432/raxx", "644", false),
    ("a:b@c.sqlite", "644", false),
  ])
  func `a password of the database that other users can read is named`(
    _ database: String, _ mode: String, _ isNamed: Bool
  ) throws {
    let place = try TemporaryFolder()
    try File.write(Array(#"{"database": "\#(database)"}"#.utf8), to: place.path + "/server.json")
    _ = try Shell.run("chmod \(mode) server.json", in: place.path)
    let said = try said("--config server.json", in: place)
    #expect(said.contains("\"server.json\" has the password of the database") == isNamed, "\(said)")
    #expect(!said.contains("secret@") && !said.contains("=secret"))
  }

  /// Returns what the command says on standard error.
  private func said(_ options: String, in place: TemporaryFolder) throws -> String {
    try Shell.run("passkey-server config check \(options) 2>&1 >/dev/null", in: place.path)
  }

  @Test func `the database is compared with the settings and the secret, and not changed`() throws {
    let place = try TemporaryFolder()
    #expect(try said("", in: place).isEmpty)
    _ = try Shell.run("passkey-server init ada@raxx.app", in: place.path)
    #expect(try said("", in: place).isEmpty)
    let before = try Shell.run("stat -c '%n %Y %s' *", in: place.path)
    #expect(try said("--rp-id raxx.example", in: place).contains("the database belongs to another relying party"))
    _ = try Shell.run("mv passkey.secret kept", in: place.path)
    #expect(try said("", in: place).contains("error: the database has accounts, but there is no \"passkey.secret\""))
    _ = try Shell.run("head -c 32 /dev/urandom >passkey.secret; chmod 600 passkey.secret", in: place.path)
    #expect(try said("", in: place).contains("error: the database was used with a different secret"))
    _ = try Shell.run("mv kept passkey.secret", in: place.path)
    #expect(try Shell.run("stat -c '%n %Y %s' *", in: place.path) == before)
  }

  @Test func `accounts that cannot recover, and a missing administrator, are named`() throws {
    let place = try TemporaryFolder()
    let mail = "--mail smtp-unencrypted://127.0.0.1:1 --recovery email"
    _ = try Shell.run("passkey-server init && passkey-server user add ada@raxx.app", in: place.path)
    let said = try said(mail, in: place)
    #expect(said.contains("warning: no active account has the role admin"))
    #expect(said.contains("warning: 1 account cannot be recovered by mail, because the address is not verified"))
    let listed = try Shell.run("passkey-server user list \(mail)", in: place.path)
    #expect(listed.contains("recovery") && listed.contains("administrator"))
    #expect(try !Shell.run("passkey-server user list", in: place.path).contains("recovery"))
    let json = try Shell.run("passkey-server user list --json \(mail)", in: place.path)
    #expect(json.contains(#""emailVerifiedAt":null,"lacksRecovery":true"#))
  }

  @Test(arguments: [
    ("--mail smtp-unencrypted://127.0.0.1:1 --recovery email --verify-email off", "were never verified"),
    ("--mail smtp-unencrypted://127.0.0.1:1 --recovery email --recovery-wait 10m", "waits for 10m only"),
    ("--session-lifetime 30d", "session tokens live for 30d"),
    ("--trusted-proxy 127.0.0.1 --metrics public", "everyone may read /metrics"),
    ("--trusted-proxy 127.0.0.1 --ceremonies-per-account 5000", "the rate limits of ceremonies are those of a test"),
    ("--trusted-proxy 127.0.0.1 --pages on", "anyone can create an account with any address"),
  ])
  func `an unusual setting is named`(_ options: String, _ warning: String) throws {
    let place = try TemporaryFolder()
    #expect(try said(options, in: place).contains(warning))
    #expect(try said("--trusted-proxy 127.0.0.1", in: place).isEmpty)
  }
}
