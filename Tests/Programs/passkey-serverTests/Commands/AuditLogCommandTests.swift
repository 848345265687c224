// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The log of a store, its key, and what reports an older copy of the database.
@Suite struct AuditLogCommandTests {
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

  /// Deletes the log of the database.
  private static let logDeleted = """
    python3 -c "import sqlite3
    database = sqlite3.connect('passkey.sqlite')
    for table in 'audit', 'personal_details', 'audit_logs', 'audit_positions', 'audit_tiles', 'audit_checkpoints':
      database.execute('DELETE FROM ' + table)
    database.commit()"
    """

  @Test func `a new store begins its log, with a key of its secret`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    #expect(try run("ls passkey.secret*") == "passkey.secret\n")
    let key = try run("passkey-server audit key")
    #expect(key.hasPrefix("raxx.app/audit/"))
    // Even if no server runs, the records of a command have their places when it ends.
    let verified = try run("passkey-server audit verify")
    #expect(verified.hasPrefix("passkey-server: 3 records are in the log raxx.app/audit/"))
    #expect(verified.contains("/1\n3\n"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0,"keyChecked":true"#))
    _ = try run("passkey-server user add bob@raxx.app; passkey-server audit checkpoint >checkpoint")
    #expect(try run("passkey-server audit key") == key)
    // Commands without the secret verify less.
    _ = try run("mv passkey.secret away")
    #expect(try run("passkey-server audit key") == key)
    #expect(try run("passkey-server audit verify").contains("there is no secret"))
    #expect(try run("passkey-server audit verify --copy").contains("5 records are in the log raxx.app/audit/"))
    #expect(try run("passkey-server audit verify --copy").contains("; its key was not checked\n"))
    #expect(try run("passkey-server audit verify --copy --json").contains(#""keyChecked":false"#))
    #expect(try run("passkey-server audit verify --copy --checkpoint checkpoint >/dev/null 2>&1; echo $?") == "0\n")
    // Another secret has another key.
    _ = try run("head -c 32 /dev/urandom >passkey.secret; chmod 600 passkey.secret")
    for command in ["audit key", "audit verify"] {
      #expect(try run("passkey-server \(command)").hasSuffix("[7]\n"))
    }
    #expect(try run("passkey-server audit verify").contains("audit.key-mismatch"))
    // A new database beside the same secret begins another log.
    _ = try run("mv away passkey.secret; rm passkey.sqlite*; passkey-server init")
    #expect(try run("passkey-server audit key") != key)
  }

  @Test func `a verification changes no byte of the database, and refuses another schema`() throws {
    _ = try run("passkey-server init ada@raxx.app; cp passkey.sqlite kept.sqlite")
    for options in ["", " --copy", " --json"] {
      #expect(try run("passkey-server audit verify\(options) >verified 2>&1; echo $?") == "0\n")
    }
    #expect(try run("cmp passkey.sqlite kept.sqlite; ls passkey.sqlite*") == "passkey.sqlite\n")
    // Another schema: byte 60 is the first of the user version.
    let other =
      #"printf '\0\0\0\77' | dd of=passkey.sqlite bs=1 seek=60 conv=notrunc 2>/dev/null; passkey-server audit verify"#
    let refused = try run(other)
    #expect(
      refused.contains("storage.schema-newer")
        && refused.contains("hint: run the version of passkey-server that made it"))
  }

  @Test func `a database that has lost its log is reported, and gets one from an operator`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    _ = try run(Self.served)
    #expect(try run(Self.logDeleted) == "")
    #expect(try run(Self.served).contains("warning: the database has no transparency log"))
    let kept = try run("passkey-server audit verify")
    #expect(kept.contains("audit.rolled-back: no log") && kept.hasSuffix("[7]\n"))
    let copy = try run("passkey-server audit verify --copy")
    #expect(copy.contains("audit.log-mismatch: the database has no log") && copy.hasSuffix("[7]\n"))
    #expect(try run("passkey-server audit checkpoint").hasSuffix("[5]\n"))
    let refused = try run("passkey-server audit begin")
    #expect(refused.contains("has lost its log, of which there is a checkpoint") && refused.contains("--after-restore"))
    // The kept checkpoint is of the first log.
    #expect(try run("passkey-server audit begin --after-restore 2>&1 >/dev/null").contains("/2 begins; its key:\n"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
    #expect(try run("passkey-server audit begin").contains("after a restoration, give --after-restore"))
  }

  @Test func `a checkpoint of another relying party is not of a lost log`() throws {
    _ = try run("passkey-server init")
    _ = try run(Self.served)
    _ = try run("rm passkey.sqlite*; passkey-server init --rp-id garden.example")
    #expect(try run(Self.logDeleted) == "")
    let refused = try run("passkey-server audit begin --after-restore --rp-id garden.example")
    #expect(refused.contains("this machine has kept no checkpoint"))
    let begun = try run("passkey-server audit begin --rp-id garden.example 2>&1 >/dev/null")
    #expect(begun.contains("garden.example/audit/") && begun.contains("/1 begins; its key:\n"))
  }

  @Test func `a new database beside the old secret is reported`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    _ = try run(Self.served)
    _ = try run("cp passkey.secret.audit-checkpoint elsewhere; rm passkey.sqlite*; passkey-server init eve@raxx.app")
    #expect(try run(Self.served).contains("audit.rolled-back: the log is raxx.app/audit/"))
    let verified = try run("passkey-server audit verify")
    #expect(verified.contains("audit.rolled-back") && verified.hasSuffix("[7]\n"))
    // The only evidence is still there.
    #expect(try run("cmp elsewhere passkey.secret.audit-checkpoint") == "")
    _ = try run("rm passkey.secret.audit-checkpoint")
    #expect(try run("passkey-server audit begin --after-restore").contains("give a checkpoint that you kept elsewhere"))
    let begun = try run("passkey-server audit begin --after-restore --checkpoint elsewhere 2>&1 >/dev/null")
    #expect(begun.contains("/2 follows epoch 1"))
    #expect(try !run(Self.served).contains("audit.rolled-back"))
  }

  @Test func `a damaged kept checkpoint stops the log until it is deleted`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    _ = try run(Self.served)
    #expect(try run("stat -c %a passkey.secret.audit-checkpoint") == "600\n")
    _ = try run("echo damaged >passkey.secret.audit-checkpoint; passkey-server user add bob@raxx.app")
    let notes = try run(Self.served)
    #expect(notes.contains("audit.checkpoint-unreadable") && notes.contains("delete"))
    #expect(try run("passkey-server audit verify --copy --json").contains(#""waiting":2"#))
    let refused = try run("passkey-server audit verify")
    #expect(refused.contains("audit.checkpoint-unreadable") && refused.hasSuffix("[7]\n"))
    _ = try run("rm passkey.secret.audit-checkpoint")
    #expect(try !run(Self.served).contains("audit.checkpoint-unreadable"))
    #expect(try run("passkey-server audit verify --json").contains(#""waiting":0"#))
  }

  @Test func `an older copy of the database is reported, also one from before another log`() throws {
    _ = try run("passkey-server init; passkey-server backup early.sqlite; passkey-server user add bob@raxx.app")
    #expect(try run("passkey-server audit begin --after-restore").contains("this machine has kept no checkpoint"))
    _ = try run(Self.served)
    _ = try run("rm passkey.sqlite*; cp -p early.sqlite passkey.sqlite")
    #expect(try run(Self.served).contains("audit.rolled-back"))
    #expect(try run("passkey-server user add carl@raxx.app").contains("audit.rolled-back"))
    let copy = try run("passkey-server audit verify")
    #expect(copy.contains("audit.rolled-back: 1 records, and 3 in the kept checkpoint") && copy.hasSuffix("[7]\n"))
    #expect(try !run("passkey-server audit verify --copy").hasSuffix("]\n"))
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
    #expect(try run("passkey-server audit verify").contains("audit.rolled-back: the checkpoint is of raxx.app/audit/"))
    #expect(try run(Self.served).contains("audit.rolled-back"))
    #expect(try run("passkey-server audit begin --after-restore").contains("/4"))
    #expect(try !run(Self.served).contains("audit.rolled-back"))
  }
}
