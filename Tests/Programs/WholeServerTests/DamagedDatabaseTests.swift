// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Faults of the disk under a running server, and files that another program removes, cuts or overwrites.
@Suite struct DamagedDatabaseTests {
  private let ledger = Ledger()
  private let logs: TemporaryFolder

  init() throws {
    logs = try TemporaryFolder()
  }

  private func place(_ kind: DatabaseKind = .sqlite()) async throws -> ServerPlace {
    try await ServerPlace(kind, ["--metrics", "public", "--audit-log", "\(logs.path)/audit.log"])
  }

  private func signUp(_ count: Int, _ server: ServerProcess) async throws {
    for _ in 0..<count { try await Client(at: server.port, ledger).signUp() }
  }

  /// Waits until the server has told this, on standard error and in the audit log.
  private func tells(_ text: String, _ place: ServerPlace) async throws -> Bool {
    try await HangGuard.waits { () async throws -> Bool in
      let lines = String(decoding: try File.bytes("\(logs.path)/audit.log"), as: UTF8.self).split(separator: "\n")
      return try place.output().contains { $0.contains("the database cannot be used: ") && $0.contains(text) }
        && lines.contains { $0.contains(#""type":"store""#) && $0.contains(text) }
    }
  }

  /// Expects that the server is not ready, and that the metrics say so.
  private func expectNotReady(_ server: ServerProcess, _ code: String, metric: String) async throws {
    let line = Line(to: server.port)
    #expect(
      try await HangGuard.waits { () async throws -> Bool in try await line.ask("GET", "/readyz").status == 503 })
    try await line.ask("GET", "/readyz").expect(503, code)
    try await line.ask("GET", "/healthz").expect(200)
    let metrics = try await line.ask("GET", "/metrics").expect(200).body
    #expect(metrics.contains("\npasskey_storage_up 0\n"))
    #expect(metrics.contains(#"passkey_storage_errors_total{code="\#(metric)"#))
  }

  private func expectRefusedSignUp(_ server: ServerProcess) async throws {
    await #expect(throws: Client.Refused.self) { try await signUp(1, server) }
  }

  @Test func `a removed write-ahead log is told without a request, and a kill loses nothing`() async throws {
    let place = try await place()
    let server = try await ServerProcess.start(place)
    try await signUp(20, server)
    unsafe unlink("\(place.folder.path)/passkey.sqlite-wal")
    #expect(try await tells("passkey.sqlite-wal", place))
    #expect(try await tells("the database file has all acknowledged changes: restart the server", place))
    try await expectNotReady(server, "service.storage-unavailable", metric: "storage.unavailable")
    try await expectRefusedSignUp(server)
    try await server.kill()
    let next = try await ServerProcess.start(place)
    try await ledger.checkSessions(at: next.port)
    try await signUp(1, next)
    #expect(try await next.stop() == 0)
    try await place.verifyAudit()
    try await ledger.check(place.trail())
  }

  @Test(arguments: [true, false])
  func `nothing is acknowledged after the write-ahead log was cut, and the pages stay sound`(kills: Bool) async throws {
    let place = try await place()
    let server = try await ServerProcess.start(place)
    try await signUp(20, server)
    unsafe truncate("\(place.folder.path)/passkey.sqlite-wal", 0)
    try await expectRefusedSignUp(server)
    #expect(try await tells("was cut or overwritten, and the latest changes are lost", place))
    try await expectNotReady(server, "service.storage-unavailable", metric: "storage.unavailable")
    if kills { try await server.kill() } else { #expect(try await server.stop() == 0) }
    let program = "import sqlite3; print(*sqlite3.connect('passkey.sqlite').execute('PRAGMA integrity_check'))"
    let printed = try await waiting { [path = place.folder.path] in
      try Shell.run("python3 -c \"\(program)\"", in: path)
    }
    #expect(printed == "('ok',)\n")
    let next = try await ServerProcess.start(place)
    // The server ends all ceremonies of that second, when it finds that the log is older than the kept checkpoint.
    #expect(
      try await HangGuard.waits { () async throws -> Bool in
        do { try await signUp(1, next) } catch is Client.Refused { return false }
        return true
      })
    #expect(try await next.stop() == 0)
  }

  /// Overwrites a table's first page, or all pages but the first, of the file of a database.
  private func damage(_ place: ServerPlace, table: String?) async throws {
    let pages = table.map {
      "[c.execute('SELECT rootpage FROM sqlite_schema WHERE name = ?', ['\($0)']).fetchone()[0]]"
    }
    let program = """
      import sqlite3
      c = sqlite3.connect('passkey.sqlite', 60)
      c.execute('UPDATE write_check SET count = count + 1')
      c.commit()
      c.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
      count = c.execute('PRAGMA page_count').fetchone()[0]
      with open('passkey.sqlite', 'r+b') as f:
        for page in \(pages ?? "range(2, count + 1)"):
          f.seek((page - 1) * 4096)
          f.write(b'\\xff' * 4096)
      """
    try File.write(Array(program.utf8), to: "\(place.folder.path)/damage.py")
    let printed = try await waiting { [path = place.folder.path] in try Shell.run("python3 damage.py", in: path) }
    #expect(printed.isEmpty)
  }

  @Test func `a page that cannot be read is told, and the server is not ready`() async throws {
    let place = try await place()
    let server = try await ServerProcess.start(place)
    try await signUp(20, server)
    try await damage(place, table: "accounts")
    try await expectRefusedSignUp(server)
    #expect(try await tells("stop the server and restore a backup", place))
    try await expectNotReady(server, "service.storage-unavailable", metric: "storage.corrupt")
    try await server.kill()
  }

  @Test func `a server does not start with a damaged database, and hints at the backup`() async throws {
    let place = try await place()
    let server = try await ServerProcess.start(place)
    try await signUp(5, server)
    #expect(try await server.stop() == 0)
    try await damage(place, table: nil)
    let printed = try await place.run("user", "list")
    #expect(printed.contains("storage.corrupt") && printed.contains("hint: restore a backup over it"))
  }

  @Test(.enabled(if: FragileDisk.isPossible, "this user may not mount an image of a disk"))
  func `a file system that becomes read-only is told, and loses nothing`() async throws {
    let folder = try TemporaryFolder()
    let disk = try FragileDisk(folder.path)
    let place = try await place(.sqlite(in: disk.path))
    let server = try await ServerProcess.start(place)
    try await signUp(5, server)
    try disk.fail()
    try await expectRefusedSignUp(server)
    try await expectNotReady(server, "service.storage-unavailable", metric: "storage.")
    #expect(try await tells("storage.", place))
    try await server.kill()
    let copy = try await ServerPlace(.sqlite())
    for name in ["passkey.sqlite", "passkey.sqlite-wal"] {
      try File.write(File.bytes("\(disk.path)/\(name)"), to: "\(copy.folder.path)/\(name)", isPrivate: true)
    }
    let secret = try File.bytes("\(place.folder.path)/passkey.secret")
    try File.write(secret, to: "\(copy.folder.path)/passkey.secret", isPrivate: true)
    let next = try await ServerProcess.start(copy)
    try await ledger.checkSessions(at: next.port)
    #expect(try await next.stop() == 0)
  }
}
