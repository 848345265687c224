// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import PasskeyService
internal import PasskeySystem

/// A worker that delivers the notices of the outbox. It claims due notices, passes each to the sender of its destination,
/// and writes the result.
///
/// Any number of deliverers may run, in one process or several. Only one of them claims a notice at a time. A notice is
/// delivered at least once. Notices with the same account and destination are delivered in sequence; a slow destination
/// does not delay the others. Users' codes go first, and mails that strangers asked for last (`NoticeRank` of the service).
public struct Deliverer: Sendable {
  private let service: AuthService
  private let senders: [DestinationName: any NoticeSender]
  private let settings: DelivererSettings
  private let owner: DelivererID
  private let clock: @Sendable () -> UnixTime
  private let report: @Sendable (DeliveryReport) -> Void

  /// Creates a deliverer. It does nothing until ``run()`` is called.
  ///
  /// - Parameters:
  ///   - service: The service whose outbox to deliver.
  ///   - senders: The sender of each destination. Notices to other destinations stay in the outbox.
  ///   - settings: The limits.
  ///   - clock: The current time.
  ///   - report: Called for each attempt and each failure of the store, for logs and metrics.
  /// - Throws: `service.random-failed` if the system has no random bytes.
  public init(
    _ service: AuthService, to senders: [DestinationName: any NoticeSender],
    settings: DelivererSettings = DelivererSettings(), clock: @escaping @Sendable () -> UnixTime,
    report: @escaping @Sendable (DeliveryReport) -> Void = { (_) in }
  ) throws(ServiceError) {
    self.service = service
    self.senders = senders
    self.settings = settings
    owner = try service.newDelivererID()
    self.clock = clock
    self.report = report
  }

  /// Delivers until the task is cancelled. Returns after the running attempts have ended. Attempts that take longer than
  /// ``DelivererSettings/stoppingGrace`` are cancelled, and their notices are sent again.
  public func run() async {
    await withDiscardingTaskGroup { (group) in
      for (name, sender) in senders { group.addTask { await deliver(to: name, through: sender) } }
      group.addTask { await announceSessions() }
    }
  }

  private enum Step: Sendable {
    case settled(NoticeRank)
    case woken
  }

  /// Runs the loop of one destination: claims notices up to the concurrency limit, then waits for a result, a signal or
  /// the poll interval.
  private func deliver(to name: DestinationName, through sender: any NoticeSender) async {
    await withTaskGroup(of: Step.self) { (group) in
      var running = 0
      var runningStrangers = 0
      var isWaiting = false
      while !Task.isCancelled {
        let signals = service.outboxSignal.count
        let items = await claim(
          name, atMost: settings.concurrency - running, strangers: settings.strangerConcurrency - runningStrangers)
        running += items.count
        for item in items {
          if item.notice.rank == .stranger { runningStrangers += 1 }
          group.addTask {
            await withGrace { await attempt(item, through: sender) }
            return .settled(item.notice.rank)
          }
        }
        // More notices may be due than the claim returned.
        if running < settings.concurrency, !items.isEmpty { continue }
        if !isWaiting, running < settings.concurrency {
          isWaiting = true
          group.addTask { [service, settings] in
            await service.outboxSignal.wait(after: signals, atMost: settings.pollInterval)
            return .woken
          }
        }
        switch await group.next() {
        case .settled(let rank)?:
          running -= 1
          if rank == .stranger { runningStrangers -= 1 }
        case .woken?: isWaiting = false
        case nil: break
        }
      }
    }
  }

  /// Runs `body`, and cancels it only some time after the current task was cancelled. An attempt that is cut off may have
  /// reached its receiver, so it would have to be repeated.
  private func withGrace(_ body: @escaping @Sendable () async -> Void) async {
    let work = Task(operation: body)
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      Task {
        try? await Task.sleep(for: settings.stoppingGrace)
        work.cancel()
      }
    }
  }

  private func claim(_ name: DestinationName, atMost count: Int, strangers: Int) async -> [OutboxItem] {
    guard count > 0 else { return [] }
    let now = clock()
    do throws(ServiceError) {
      return try await service.claim(
        OutboxClaim(
          name, by: owner, limit: count, strangerLimit: strangers, at: now, until: now + settings.lease))
    } catch {
      report(.storeFailed(error))
      // The store is unavailable: the loop waits for the poll interval.
      return []
    }
  }

  /// Sends a notice to its recipients and writes the result. If the result cannot be written, the claim expires, and the
  /// notice is sent again.
  private func attempt(_ item: OutboxItem, through sender: any NoticeSender) async {
    let start = ContinuousClock.now
    do throws(ServiceError) {
      let (outcome, result) = try await send(item, through: sender)
      try await service.settle(item, outcome, at: clock())
      report(.attempted(item.notice, to: item.destination, result, ContinuousClock.now - start))
    } catch {
      report(.storeFailed(error))
    }
  }

  /// Sends a notice to each of its recipients that has not received it.
  private func send(
    _ item: OutboxItem, through sender: any NoticeSender
  ) async throws(ServiceError) -> (OutboxOutcome, DeliveryReport.Result) {
    switch sender.audience {
    case .endpoint:
      return outcome(of: await sender.send(outgoing(item, to: .endpoint)), item, delivered: [])
    case .mail:
      let contact = try await service.contact(of: item.notice, withDevices: false, at: clock())
      guard let email = contact.email else { return (.delivered, .noRecipient) }
      let recipient = NoticeRecipient.mail(email, account: contact.account, code: contact.code)
      return outcome(of: await sender.send(outgoing(item, to: recipient)), item, delivered: [])
    case .devices(let push):
      let contact = try await service.contact(of: item.notice, withDevices: true, at: clock())
      return try await send(item, to: contact.devices.filter { $0.service == push }, through: sender)
    }
  }

  /// Sends a notice to the devices that have not received it. If one device fails, the others still receive the notice,
  /// and a retry omits them.
  private func send(
    _ item: OutboxItem, to devices: [Device], through sender: any NoticeSender
  ) async throws(ServiceError) -> (OutboxOutcome, DeliveryReport.Result) {
    guard !devices.isEmpty else { return (.delivered, .noRecipient) }
    var delivered = item.delivered
    var retry: DeliveryResult?
    var rejection: String?
    for device in devices where !delivered.contains(device.id) {
      let result = await sender.send(outgoing(item, to: .device(device)))
      switch result {
      case .delivered: delivered.append(device.id)
      case .gone:
        let context = CallContext(time: clock(), requestID: "deliverer")
        try await service.revokeUnreachableDevice(device.id, of: device.user, in: context)
      case .rejected(let reason):
        rejection = reason
        delivered.append(device.id)
      case .retry: retry = result
      }
    }
    if let retry { return outcome(of: retry, item, delivered: delivered) }
    if let rejection { return outcome(of: .rejected(reason: rejection), item, delivered: delivered) }
    return (.delivered, .delivered)
  }

  private func outgoing(_ item: OutboxItem, to recipient: NoticeRecipient) -> OutgoingNotice {
    OutgoingNotice(item.notice, to: recipient, failedAttempts: item.failedAttempts)
  }

  private func outcome(
    of result: DeliveryResult, _ item: OutboxItem, delivered: [Device.ID]
  ) -> (OutboxOutcome, DeliveryReport.Result) {
    switch result {
    case .delivered, .gone: return (.delivered, .delivered)
    case .rejected(let reason): return (.dead(reason: reason.limited), .dead(reason: reason.limited))
    case .retry(let requested, let reason):
      let failures = item.failedAttempts + 1
      guard failures < settings.backoff.maximumAttempts else {
        return (.dead(reason: reason.limited), .dead(reason: reason.limited))
      }
      let pause = settings.backoff.pause(
        afterFailures: failures, requested: requested, fraction: .random(in: 0...1))
      // Timestamps have a resolution of one second.
      let due = clock() + max(pause, .seconds(1))
      return (.retry(at: due, delivered: delivered, reason: reason.limited), .retried(reason: reason.limited))
    }
  }

  /// Writes notices about sessions that end soon, until the task is cancelled.
  private func announceSessions() async {
    while !Task.isCancelled {
      do throws(ServiceError) {
        try await service.announceExpiring(at: clock())
      } catch {
        report(.storeFailed(error))
      }
      try? await Task.sleep(for: Self.announcementInterval)
    }
  }

  // 5 seconds  [a warning period is minutes long]
  private static let announcementInterval = Duration.seconds(5)
}

extension String {
  /// The first 200 characters of the text.
  fileprivate var limited: String { String(prefix(200)) }
}
