// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The key of the transparency log, and what reports that it is missing or another one.
@Suite struct AuditKeyTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
  }

  private func run(_ command: String) throws -> String { try Shell.run(command, in: place.path) }

  /// Starts a server until it serves, stops it, and prints its notes.
  private static let served = """
    bash -c 'rm -f told; passkey-server --listen 127.0.0.1:0 --access-log log 2>told & \
    for i in {1..3000}; do grep -qs serving told && break; sleep 0.1; done; kill $!; wait $!; cat told'
    """

  @Test func `a new store begins its log, and its key stays the same`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    #expect(try run("stat -c '%a %s' passkey.secret.audit-key") == "600 32\n")
    let key = try run("passkey-server audit key")
    #expect(key.hasPrefix("raxx.app/audit/"))
    // Even if no server runs, the records of a command have their places when it ends.
    let verified = try run("passkey-server audit verify")
    #expect(verified.hasPrefix("passkey-server: 3 records are in the log raxx.app/audit/"))
    #expect(verified.contains("/1\n3\n"))
    #expect(try run("cp passkey.secret.audit-key kept; passkey-server user add bob@raxx.app") != "")
    #expect(try run("cmp kept passkey.secret.audit-key; passkey-server audit key") == key)
    // A new database beside the same secret begins another log with the same key.
    #expect(try run("rm passkey.sqlite*; passkey-server init").contains("keep a copy"))
    #expect(try run("cmp kept passkey.secret.audit-key") == "")
    #expect(try run("passkey-server audit key") != key)
  }

  @Test func `a verification changes no byte of the database, and migrates nothing`() throws {
    _ = try run("passkey-server init ada@raxx.app; cp passkey.sqlite kept.sqlite")
    for options in ["", " --no-seal", " --json"] {
      #expect(try run("passkey-server audit verify\(options) >verified 2>&1; echo $?") == "0\n")
    }
    #expect(try run("cmp passkey.sqlite kept.sqlite; ls passkey.sqlite*") == "passkey.sqlite\n")
    // An older schema: byte 60 is the first of the user version.
    let older =
      #"printf '\0\0\0\1' | dd of=passkey.sqlite bs=1 seek=60 conv=notrunc 2>/dev/null; passkey-server audit verify"#
    let refused = try run(older)
    #expect(
      refused.contains("storage.schema-older") && refused.contains("hint: migrate it with passkey-server migrate"))
  }

  @Test func `a missing key and another one are reported by servers, config check and audit key`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    #expect(try !run(Self.served).contains("warning: there is no"))
    #expect(try !run("passkey-server config check").contains("audit-key"))
    _ = try run("mv passkey.secret.audit-key away")
    let missing = #"passkey-server: warning: there is no "passkey.secret.audit-key", so this server does not sign"#
    #expect(try run(Self.served).contains(missing))
    #expect(try run("passkey-server config check").contains(missing))
    #expect(try run("passkey-server config check --json").contains(#"does not sign"#))
    // Commands that another machine runs need no key.
    #expect(try run("passkey-server user add bob@raxx.app 2>/dev/null | wc -l") == "1\n")
    #expect(try run("passkey-server audit verify").contains("its key was not checked"))
    #expect(try run("passkey-server audit verify --json").contains(#""keyChecked":false"#))
    _ = try run("head -c 32 /dev/urandom >passkey.secret.audit-key; chmod 600 passkey.secret.audit-key")
    let differs = #""passkey.secret.audit-key" is not the key of the log, so this server does not sign"#
    #expect(try run(Self.served).contains(differs))
    #expect(try run("passkey-server config check").contains(differs))
    #expect(try run("passkey-server user list").contains(differs))
    #expect(try run("passkey-server audit key").hasSuffix("[7]\n"))
    #expect(try run("passkey-server audit verify").hasSuffix("[7]\n"))
    _ = try run("chmod 644 passkey.secret.audit-key")
    #expect(try run("passkey-server config check").contains("can be read by other users"))
    _ = try run("mv away passkey.secret.audit-key; passkey-server user list")
    #expect(try !run(Self.served).contains("does not sign"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0,"keyChecked":true"#))
  }

  @Test func `a lost key is replaced by one that begins a new log`() throws {
    _ = try run("passkey-server init ada@raxx.app; rm passkey.secret.audit-key")
    #expect(try run("passkey-server audit begin").contains("--replace-key"))
    let key = try run("passkey-server audit begin --replace-key 2>told")
    #expect(key.contains("/2+"))
    #expect(try run("cat told").contains("/2 follows epoch 1, which has 3 records; its key:"))
    #expect(
      try run("passkey-server audit begin --replace-key")
        == #"passkey-server: error: the key of the log is there: "passkey.secret.audit-key"\#n[5]\#n"#)
    #expect(try run("passkey-server audit key") == key)
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
    #expect(try !run(Self.served).contains("does not sign"))
  }

  @Test func `a damaged kept checkpoint stops the log until it is deleted`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    _ = try run(Self.served)
    #expect(try run("stat -c %a passkey.secret.audit-checkpoint") == "600\n")
    _ = try run("echo damaged >passkey.secret.audit-checkpoint; passkey-server user add bob@raxx.app")
    let notes = try run(Self.served)
    #expect(notes.contains("audit.checkpoint-unreadable") && notes.contains("delete"))
    #expect(try run("passkey-server audit verify --no-seal --json").contains(#""waiting":2"#))
    let refused = try run("passkey-server audit verify")
    #expect(refused.contains("audit.checkpoint-unreadable") && refused.hasSuffix("[7]\n"))
    _ = try run("rm passkey.secret.audit-checkpoint")
    #expect(try !run(Self.served).contains("audit.checkpoint-unreadable"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
  }

  @Test func `an older copy of the database is reported, also one from before the log`() async throws {
    try await ChainStore.create("\(place.path)/passkey.sqlite", secretPath: "\(place.path)/passkey.secret")
    _ = try run("passkey-server user add ada@raxx.app; passkey-server backup before.sqlite; passkey-server audit begin")
    _ = try run("passkey-server backup early.sqlite; passkey-server user add bob@raxx.app")
    _ = try run(Self.served)
    _ = try run("rm passkey.sqlite*; cp -p before.sqlite passkey.sqlite")
    #expect(try run(Self.served).contains("this server has seen 3 records of the transparency log"))
    let chain = try run("passkey-server audit verify")
    #expect(chain.contains("audit.rolled-back: no log") && chain.hasSuffix("[7]\n"))
    _ = try run("rm passkey.sqlite*; cp -p early.sqlite passkey.sqlite")
    #expect(try run(Self.served).contains("audit.rolled-back"))
    #expect(try run("passkey-server user add carl@raxx.app").contains("audit.rolled-back"))
    let copy = try run("passkey-server audit verify")
    #expect(copy.contains("audit.rolled-back: 1 records, and 3 in the kept checkpoint") && copy.hasSuffix("[7]\n"))
    let unsealed = try run("passkey-server audit verify --no-seal")
    #expect(unsealed.contains("unbroken chain; the seal was not checked") && !unsealed.hasSuffix("]\n"))
    #expect(try run("passkey-server audit begin --after-restore").contains("/2 follows epoch 1, which has 1 record;"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
    #expect(try !run(Self.served).contains("audit.rolled-back"))
    // The kept checkpoint is no lost one if the database has more records.
    #expect(try run("passkey-server user add dora@raxx.app; passkey-server audit begin --after-restore").contains("/3"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
    // The server has seen the third log, and the copy has the first one.
    _ = try run(Self.served)
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
    _ = try run("rm passkey.sqlite*; cp -p early.sqlite passkey.sqlite")
    #expect(try run("passkey-server audit verify").contains("audit.rolled-back: epoch 1, and a checkpoint of"))
    #expect(try run(Self.served).contains("audit.rolled-back"))
    #expect(try run("passkey-server audit begin --after-restore").contains("/4"))
    #expect(try !run(Self.served).contains("audit.rolled-back"))
  }
}
