// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyDelivery
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import WebAuthnRelyingParty
import WebAuthnTypes

/// A service with a store of its own, a clock that stands until it is advanced, and one destination.
final class DelivererWorld: Sendable {
  let memory: DatabaseStorage
  let faults: FaultyDatabase
  let storage: DatabaseStorage
  let service: AuthService
  let sender: RecordingSender
  let reports = Locked<[DeliveryReport.Result]>([])
  private let moment = Locked(Sample.start)

  static let destination = DestinationName(rawValue: "test")

  init(_ sender: RecordingSender) throws {
    memory = try SQLiteStorage.temporary()
    faults = FaultyDatabase(over: memory)
    storage = DatabaseStorage(faults)
    self.sender = sender
    var policy = ServicePolicy()
    policy.destinations = [NoticeDestination(Self.destination, events: ["*"])]
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
  }

  var now: UnixTime { moment.withLock { $0 } }

  func advance(_ seconds: Int) { moment.withLock { $0 = $0 + .seconds(seconds) } }

  /// Writes notices of an account with these numbers.
  func enqueue(_ numbers: some Sequence<Int>, of account: UserHandle?) async throws {
    try await service.enqueue(
      numbers.map { (number) in
        Notice(
          NoticeEvent(rawValue: "order.filled"), cause: "\(account?.description ?? "-") \(number)", of: account,
          at: now,
          details: ["number": "\(number)"])
      })
  }

  /// Runs deliverers until `body` returns, then cancels them, runs `cancelled`, and waits for their end.
  func delivering(
    _ count: Int = 1, _ change: (inout DelivererSettings) -> Void = { _ in },
    _ body: @escaping @Sendable () async throws -> Void, cancelled: () -> Void = {}
  ) async throws {
    var settings = DelivererSettings()
    settings.pollInterval = .milliseconds(5)
    change(&settings)
    let deliverers = try (0..<count).map { _ in
      try Deliverer(service, to: [Self.destination: sender], settings: settings, clock: { self.now }) { (report) in
        if case .attempted(_, _, let result, _) = report { self.reports.withLock { $0.append(result) } }
        self.sender.changed.give()
      }
    }
    let tasks = deliverers.map { (deliverer) in Task { await deliverer.run() } }
    defer { tasks.forEach { $0.cancel() } }
    try await body()
    tasks.forEach { $0.cancel() }
    cancelled()
    for task in tasks { await task.value }
  }

  /// Waits until so many attempts have ended, and returns their results.
  func results(_ count: Int) async -> [DeliveryReport.Result] {
    await sender.wait { self.reports.withLock { $0.count >= count } }
    return reports.withLock { $0 }
  }

  func items() async throws -> [OutboxItem] { try await service.outboxItems(limit: 1000) }
}

/// A sender that records what it is given, and answers as told.
final class RecordingSender: NoticeSender {
  let audience: NoticeAudience
  /// A signal after each recorded notice.
  let changed = OutboxSignal()
  private let sent = Locked<[OutgoingNotice]>([])
  private let answer: @Sendable (OutgoingNotice) async -> DeliveryResult

  init(_ audience: NoticeAudience = .endpoint, _ answer: @escaping @Sendable (OutgoingNotice) async -> DeliveryResult) {
    self.audience = audience
    self.answer = answer
  }

  var notices: [OutgoingNotice] { sent.withLock { $0 } }

  func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    sent.withLock { $0.append(notice) }
    changed.give()
    return await answer(notice)
  }

  /// Waits until a condition holds, looking at it after each notice and report.
  func wait(until condition: @escaping @Sendable () -> Bool) async {
    while true {
      let count = changed.count
      if condition() { return }
      await changed.wait(after: count, atMost: .seconds(600))
    }
  }

  /// Waits until so many notices were recorded, and returns them.
  func wait(for count: Int) async -> [OutgoingNotice] {
    await wait { self.notices.count >= count }
    return notices
  }
}

extension NoticeRecipient {
  var device: Device? { if case .device(let device) = self { device } else { nil } }
}
