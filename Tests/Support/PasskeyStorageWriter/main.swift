// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyDelivery
import PasskeyFormats
import PasskeyPostgreSQL
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTransparencyLog
import WebAuthnRelyingParty
import WebAuthnTypes

// PasskeyStorageWriter WHAT PATH, or PasskeyStorageWriter WHAT URL SCHEMA: uses a database until the process is killed. WHAT is
//
//   events   records events, eight at a time, and writes a line with the number of each once it is acknowledged
//   notices  the same, and each record writes a notice
//   deliver  delivers the notices: writes a line with the ID and the number of each
//   drain    the same, until none is left
//   place    gives the waiting records places in the audit log, overwrites its first tile, writes a line, and waits within
//            the transaction

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { exit(2) }
let destination = NoticeDestination(DestinationName(rawValue: "output"), events: ["*"])

func open() async throws(StorageError) -> DatabaseStorage {
  guard arguments.count > 2 else { return try await SQLiteStorage.open(arguments[1]) }
  return try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: arguments[1], schema: arguments[2]))
}

@Sendable func write(line: String) {
  let line = line + "\n"
  _ = unsafe write(STDOUT_FILENO, line, line.utf8.count)
}

@Sendable func now() -> UnixTime { UnixTime(secondsSince1970: Int64(time(nil))) }

/// Records events with `writer` in their numbers.
func record(in storage: DatabaseStorage, by writer: Int, writesNotices: Bool) async {
  let account = try? UserHandle([UInt8](repeating: UInt8(writer), count: 32))
  for number in 0... {
    let event = "\(getpid())-\(writer)-\(number)"
    var draft = AuditDraft(
      time: UnixTime(secondsSince1970: 0), actor: nil, account: nil, event: .sessionOpened, requestID: event)
    if writesNotices {
      draft = AuditDraft(
        time: now(), actor: nil, account: account, event: AuditEvent(rawValue: "test.written"), requestID: event,
        details: ["number": event])
      draft.notices = [destination].notices(for: draft)
    }
    do throws(StorageError) {
      try await storage.append([draft])
    } catch {
      exit(1)
    }
    write(line: event)
  }
}

/// Writes each notice to standard output.
struct OutputSender: NoticeSender {
  let audience = NoticeAudience.endpoint

  func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    let number = try? JSON.parse(notice.notice.data).require("number").string
    write(line: "\(notice.notice.id) \(number ?? "-")")
    return .delivered
  }
}

/// Delivers the notices; until none is left if `drains`.
func deliver(from storage: DatabaseStorage, drains: Bool) async throws {
  let id = try RelyingPartyID("raxx.app")
  let service = try AuthService(
    relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
    decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
  var settings = DelivererSettings()
  settings.lease = .seconds(1)
  settings.pollInterval = .milliseconds(20)
  let deliverer = try Deliverer(
    service, to: [destination.name: OutputSender()], settings: settings, clock: { now() })
  write(line: "ready")
  let delivering = Task { await deliverer.run() }
  while true {
    let counts = try await service.outboxCounts()
    if drains, counts.isEmpty { break }
    try await Task.sleep(for: .milliseconds(50))
  }
  delivering.cancel()
  await delivering.value
}

/// Stops in a pass of the audit log, after its tiles and before the commit. The tile is a wrong one: if it remained, no
/// later pass could continue.
func place(in storage: DatabaseStorage) async throws {
  let result = try await storage.sequenceAuditLog { (log) throws(ServiceError) in
    guard let epoch = try? log.logs().last?.epoch,
      let size = try? log.newestCheckpoint(of: epoch, isCosigned: false)?.size,
      let placed = try? log.placeWaiting(in: epoch, from: size, limit: 100),
      let tile = try? Tile(TilePosition(level: 0, index: 0), bytes: [UInt8](repeating: 0, count: 32)[...]),
      (try? log.write([tile], of: epoch)) != nil,
      // The statements have reached the database when the last one has an answer.
      let places = try? log.leaves(of: epoch, from: size, limit: 100)
    else { exit(1) }
    write(line: "\(placed.count) \(places.count)")
    while true { sleep(1) }
  }
  exit(result == nil ? 1 : 0)
}

do {
  let storage = try await open()
  switch arguments[0] {
  case "events", "notices":
    await withTaskGroup(of: Void.self) { (group) in
      for writer in 0..<8 {
        group.addTask { await record(in: storage, by: writer, writesNotices: arguments[0] == "notices") }
      }
    }
  case "place": try await place(in: storage)
  case "deliver", "drain": try await deliver(from: storage, drains: arguments[0] == "drain")
  default: exit(2)
  }
} catch {
  exit(1)
}
