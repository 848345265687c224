// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

/// The audit log, and the server's behavior when it cannot be written.
struct AuditFollowerTests {
  private let folder: TemporaryFolder
  private let storage: SQLiteStorage
  private let service: AuthService
  private var path: String { "\(folder.path)/audit.log" }

  init() async throws {
    folder = try TemporaryFolder()
    storage = try SQLiteStorage.temporary()
    service = try Self.service(storage)
    try await service.claimStore(at: Self.start)
  }

  private static let start = UnixTime(secondsSince1970: 1_800_000_000)

  private static func service(_ storage: SQLiteStorage) throws -> AuthService {
    let id = try RelyingPartyID("raxx.app")
    return try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
  }

  private func follower(_ target: AuditLogTarget) -> AuditFollower {
    AuditFollower(service, sink: AuditLogSink(target))
  }

  /// Performs a console action, which leaves one record, and gives it a place unless it `waits`.
  private func act(_ name: String = "r", waits: Bool = false) async throws {
    let context = CallContext(time: Self.start, requestID: name, sourceAddress: "192.0.2.7")
    _ = try await service.invite(nil, by: .console, in: context)
    if !waits { _ = try await service.auditSequencer().sequence(at: Self.start) }
  }

  /// Returns the types and numbers of the lines in a file.
  private func lines(_ path: String) throws -> [String] {
    try String(decoding: File.bytes(path), as: UTF8.self).split(separator: "\n").map { (line) in
      let value = try JSON.parse(Array(line.utf8)[...])
      return try "\(value.require("type").string) \(value.require("number").integer(Int.self))"
    }
  }

  /// Returns the numbers of the records in a file.
  private func records(_ path: String) throws -> [String] {
    try lines(path).filter { (line) in line.hasPrefix("record") }
  }

  @Test func `each record is one JSON line without personal details, also after a restart`() async throws {
    let first = follower(.file(path))
    await first.follow()
    #expect(try lines(path) == ["record 1", "checkpoint 1"])
    try await act("a\u{202e}b\u{9b}")
    try await act()
    await first.follow()
    await first.follow()
    // The next checkpoint is written after ten seconds.
    #expect(try lines(path) == ["record 1", "checkpoint 1", "record 2", "record 3"])
    // Records from a time without a server are written by the next one.
    try await act()
    await follower(.file(path)).follow()
    #expect(try lines(path) == ["record 1", "checkpoint 1", "record 2", "record 3", "record 4", "checkpoint 4"])
    let text = String(decoding: try File.bytes(path), as: UTF8.self)
    #expect(!text.contains("192.0.2.7"))
    #expect(text.contains(#""requestId":"a\u202eb\u009b""#))
    let entry = try #require(try await service.auditEntries(after: 3, limit: 1).first)
    #expect(text.contains(Hex.encode(entry.record.hash)))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o077 == 0)
    let last = try #require(text.split(separator: "\n").last)
    let note = try #require(AuditJSON.checkpoint(in: last.utf8))
    try await service.verifyAuditTrail(knownCheckpoint: note)
  }

  @Test func `a record is written once it has a place`() async throws {
    let follower = follower(.file(path))
    try await act(waits: true)
    await follower.follow()
    #expect(try lines(path) == ["record 1", "checkpoint 1"])
    try await act()
    await follower.follow()
    #expect(try records(path) == ["record 1", "record 2", "record 3"])
  }

  @Test func `after a rotation and a restart, the new file continues after its checkpoint`() async throws {
    try await act()
    let first = follower(.file(path))
    await first.follow()
    unsafe rename(path, "\(path).1")
    try await act()
    first.reopen()
    await first.finish()
    let all = try records("\(path).1") + records(path)
    #expect(all == ["record 1", "record 2", "record 3"])
    #expect(try lines(path).last == "checkpoint 3")
    // The next file has nothing but a checkpoint, and the server is restarted.
    unsafe rename(path, "\(path).2")
    first.reopen()
    await first.finish()
    #expect(try !lines(path).isEmpty && lines(path).allSatisfy { (line) in line == "checkpoint 3" })
    try await act()
    await follower(.file(path)).follow()
    #expect(try lines(path).suffix(2) == ["record 4", "checkpoint 4"])
  }

  @Test func `a record that the store has lost is reported, and the records before it are written`() async throws {
    let storage = try await SQLiteStorage.open("\(folder.path)/passkey.sqlite")
    let service = try Self.service(storage)
    try await service.claimStore(at: Self.start)
    let context = CallContext(time: Self.start, requestID: "r")
    for _ in 0..<4 { _ = try await service.invite(nil, by: .console, in: context) }
    #expect(try await service.auditSequencer().sequence(at: Self.start)?.count == 4)
    func change(_ statement: String) throws {
      let program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
      #expect(try Shell.run("python3 -c '\(program)' passkey.sqlite '\(statement)'", in: folder.path) == "")
    }
    try change("CREATE TABLE kept AS SELECT * FROM audit WHERE sequence = 4")
    try change("DELETE FROM audit WHERE sequence = 4")
    let follower = AuditFollower(service, sink: AuditLogSink(.file(path)))
    for _ in 0..<2 {
      await follower.follow()
      #expect(try lines(path) == ["record 1", "record 2", "record 3"])
      #expect(await follower.logFault?.contains("no record at position 3") == true)
    }
    try change("INSERT INTO audit SELECT * FROM kept")
    await follower.follow()
    #expect(await follower.logFault == nil)
    #expect(try lines(path) == ["record 1", "record 2", "record 3", "record 4", "record 5", "checkpoint 5"])
    // A record that is removed with its place is missed too.
    try change("DELETE FROM audit_positions WHERE sequence = 2")
    let other = AuditFollower(service, sink: AuditLogSink(.file("\(folder.path)/other.log")))
    await other.follow()
    #expect(await other.logFault?.contains("no record at position 1") == true)
    await storage.close()
  }

  @Test func `an incomplete line stays, and its record is written again`() async throws {
    try await act()
    try File.write([UInt8](#"{"type":"record","number":1}"#.utf8 + Array("\n{\"type\":\"rec".utf8)), to: path)
    await follower(.file(path)).follow()
    let text = String(decoding: try File.bytes(path), as: UTF8.self).split(separator: "\n")
    #expect(text.count == 4)
    #expect(text[1] == #"{"type":"rec"#)
    #expect(text[2].contains(#""number":2"#))
  }

  @Test func `while the log cannot be written, records queue, and requests continue or are refused as configured`()
    async throws
  {
    let missing = "\(folder.path)/later/audit.log"
    let follower = follower(.file(missing))
    try await act()
    await follower.follow()
    #expect(follower.isFailing)
    let request = try Self.request("/api/auth/me")
    let health = try Self.request("/healthz")
    let lenient = AuditLogGate(follower: follower, policy: .continue, healthPath: "/healthz")
    let strict = AuditLogGate(follower: follower, policy: .refuse, healthPath: "/healthz")
    #expect(lenient.refusal(of: request) == nil)
    #expect(strict.refusal(of: request)?.problemCode == "audit.log-unavailable")
    #expect(strict.refusal(of: request)?.status == .serviceUnavailable)
    #expect(strict.refusal(of: health) == nil)
    try await act()
    unsafe mkdir("\(folder.path)/later", 0o700)
    await follower.follow()
    #expect(!follower.isFailing)
    #expect(strict.refusal(of: request) == nil)
    #expect(try records(missing) == ["record 1", "record 2", "record 3"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount"))
  func `a full disk loses no record`() async throws {
    let disk = try SmallDisk(folder.path)
    let path = "\(disk.path)/audit.log"
    let filler = "\(disk.path)/filler"
    let follower = follower(.file(path))
    try await act()
    await follower.follow()
    // Fills the remaining disk space.
    _ = try Shell.run("head -c 8000000 /dev/zero >\(filler) || true", in: folder.path)
    // More than the remainder of the file's last page holds.
    for _ in 0..<40 { try await act() }
    await follower.follow()
    #expect(follower.isFailing)
    unsafe unlink(filler)
    await follower.follow()
    #expect(!follower.isFailing)
    let text = String(decoding: try File.bytes(path), as: UTF8.self).split(separator: "\n")
    let numbers = text.compactMap { (line) -> Int? in
      guard let value = try? JSON.parse(Array(line.utf8)[...]), (try? value["type"]?.string) == "record" else {
        return nil
      }
      return try? value["number"]?.integer(Int.self)
    }
    #expect(numbers == Array(1...42))
  }

  @Test func `syslog gets one datagram per record, and a missing daemon is awaited`() async throws {
    let socket = "\(folder.path)/log"
    let follower = follower(.syslog(socket: socket))
    await follower.follow()
    try await act()
    await follower.follow()
    #expect(follower.isFailing)
    let daemon = try Self.daemon(at: socket)
    defer { close(daemon) }
    try await act()
    await follower.follow()
    #expect(!follower.isFailing)
    var texts: [String] = []
    while let text = Self.receive(daemon) { texts.append(text) }
    let records = texts.filter { $0.contains(#""type":"record""#) }
    #expect(records.count == 2)
    #expect(records.allSatisfy { $0.hasPrefix("<85>passkey-server[\(getpid())]: {") && $0.hasSuffix("}") })
  }

  @Test func `a checkpoint is written only after the records that it covers`() async throws {
    let socket = "\(folder.path)/log"
    let daemon = try Self.daemon(at: socket)
    defer { close(daemon) }
    let follower = follower(.syslog(socket: socket))
    await follower.follow()
    while Self.receive(daemon) != nil {}
    // Larger than a datagram.
    let details = ["long": String(repeating: "x", count: 1_000_000)]
    let draft = AuditDraft(
      time: Self.start, actor: nil, account: nil, event: AuditEvent(rawValue: "test.long"), requestID: "r",
      details: details)
    try await storage.append([draft])
    _ = try await service.auditSequencer().sequence(at: Self.start)
    await follower.finish()
    #expect(follower.isFailing)
    #expect(Self.receive(daemon) == nil)
  }

  @Test(
    arguments: [
      ("syslog", "syslog"), ("syslog:/run/x", "syslog at /run/x"), ("/var/log/a", "/var/log/a"), ("-", nil),
      ("syslog:x", nil), ("", nil),
    ] as [(String, String?)])
  func `a target is a file or syslog`(text: String, shown: String?) {
    let target = try? AuditLogTarget(Settings.Choice(text: text, place: "--audit-log"))
    #expect(target?.description == shown)
  }

  private static func request(_ path: String) throws -> EndpointRequest {
    EndpointRequest(
      method: .get, target: try RequestTarget(Array(path.utf8)), receivedAt: UnixTime(secondsSince1970: 0))
  }

  // MARK: A syslog daemon of our own

  private static func daemon(at path: String) throws -> Int32 {
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { (place) in unsafe place.copyBytes(from: Array(path.utf8)) }
    let status = unsafe withUnsafePointer(to: address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe bind(number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
    return number
  }

  private static func receive(_ number: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
