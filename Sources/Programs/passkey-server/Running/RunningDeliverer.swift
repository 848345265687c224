// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyService

/// The tasks of deliveries: the one that delivers, and the one that measures the outbox.
struct RunningDeliverer: Sendable {
  private let tasks: [Task<Void, Never>]

  /// Starts to deliver to the configured destinations.
  ///
  /// - Parameters:
  ///   - deliveries: The destinations.
  ///   - service: The service whose notices to deliver.
  ///   - metrics: The metrics of the outbox and of attempts; nil to measure nothing.
  ///   - place: Where notices are delivered. If by another process, this one only measures the outbox.
  /// - Returns: The running tasks; nil if there are no destinations.
  /// - Throws: An error of usage or of a file if a destination cannot be used.
  static func start(
    _ deliveries: Deliveries, for service: AuthService, metrics: MetricsRegistry?, place: DeliveryPlace = .here
  ) throws(CommandFailure) -> RunningDeliverer? {
    guard place == .here else {
      // The keys of the destinations may be readable by the other process only.
      guard let metrics, !deliveries.destinations.isEmpty else { return nil }
      return RunningDeliverer(tasks: [measure(service, metrics)])
    }
    let senders = try deliveries.senders()
    guard !senders.isEmpty else { return nil }
    let attempts = metrics?.counters(
      "passkey_deliveries_total", "Attempts to deliver a notice.", labels: ["destination", "result"])
    let failures = StoreFailureNote()
    let deliverer: Deliverer
    do throws(ServiceError) {
      deliverer = try Deliverer(service, to: senders, clock: { Clock.now }) { (report) in
        switch report {
        case .attempted(let notice, let destination, let result, _):
          attempts?[destination.rawValue, result.name].add()
          if case .dead(let reason) = result {
            Diagnostics.server.note(
              "cannot deliver \(notice.id) to \(destination.rawValue.escapedForTerminal): \(reason.escapedForTerminal)"
            )
          }
        case .storeFailed(let error): failures.note(error)
        }
      }
    } catch {
      throw CommandFailure(error)
    }
    var tasks = [Task { await deliverer.run() }]
    if let metrics { tasks.append(measure(service, metrics)) }
    return RunningDeliverer(tasks: tasks)
  }

  /// Stops claiming notices and waits for the running attempts.
  func stop() async {
    tasks.forEach { (task) in task.cancel() }
    for task in tasks { await task.value }
  }

  /// Counts the notices of each destination every 15 seconds.
  private static func measure(_ service: AuthService, _ metrics: MetricsRegistry) -> Task<Void, Never> {
    let notices = metrics.gauges(
      "passkey_outbox_notices", "Notices in the outbox.", labels: ["destination", "state"])
    let age = metrics.gauges(
      "passkey_outbox_oldest_seconds", "Age of the oldest waiting notice.", labels: ["destination"])
    return Task {
      var known: Set<DestinationName> = []
      while !Task.isCancelled {
        if let counts = try? await service.outboxCounts() {
          let now = Clock.now
          known.formUnion(counts.map(\.destination))
          for name in known {
            let count = counts.first { (count) in count.destination == name }
            notices[name.rawValue, "waiting"].set(count?.waiting ?? 0)
            notices[name.rawValue, "dead"].set(count?.dead ?? 0)
            let seconds = count?.oldest.map { (oldest) in now.secondsSince1970 - oldest.secondsSince1970 } ?? 0
            age[name.rawValue].set(Int(clamping: max(0, seconds)))
          }
        }
        try? await Task.sleep(for: .seconds(15))
      }
    }
  }
}
