// SPDX-License-Identifier: Apache-2.0

/// One load: starts the operations of a plan on time, and measures them. Everything runs on the calling thread.
final class LoadRun {
  private let world: LoadWorld
  private let plan: LoadPlan
  private let observe: (LoadSnapshot) -> Void
  private let isStopped: () -> Bool

  private var figures = LoadFigures(start: LoadClock.secondsSince1970)
  private let start = LoadClock.now
  private var schedule: ArrivalSchedule
  private var nextArrival: (seconds: Double, phase: Int)?
  private var running = 0
  /// Whether operations wait because the maximum number is running.
  private var isLimited = false
  /// In a closed load: when clients that pause begin their next operation.
  private var pauses: [Int64] = []

  private var second: LoadFigures.Second
  private var latency = LatencyHistogram()
  private var intervals: [LoadOperation: LatencyHistogram] = [:]
  private var secondStart: Int64
  private var secondOwnTime = LoadClock.ownTime
  private var measuredOwnTime = 0.0
  private var measuredTime = 0.0

  private static let nanoseconds = 1e9

  init(
    _ world: LoadWorld, _ plan: LoadPlan, observe: @escaping (LoadSnapshot) -> Void,
    isStopped: @escaping () -> Bool
  ) {
    self.world = world
    self.plan = plan
    self.observe = observe
    self.isStopped = isStopped
    let numbers = SeededNumbers(seed: plan.seed, label: "arrivals")
    schedule = ArrivalSchedule(plan.phases, plan.arrivals, numbers)
    secondStart = start
    second = LoadFigures.Second(time: 0, level: plan.phases.first?.from ?? 0)
    if plan.model == .open { nextArrival = schedule.next() }
    world.client.endpointFigures = [:]
  }

  /// Runs the load until its end, and until the operations that have started have an outcome.
  func run() -> LoadFigures {
    let end = start + Int64(plan.seconds * Self.nanoseconds)
    while !isStopped() {
      let now = LoadClock.now
      if plan.model == .open { startArrivals(now) } else { startClients(now) }
      if now - secondStart >= 1_000_000_000 { endSecond(now) }
      if now >= end { break }
      world.client.advance(until: nextMoment(end))
    }
    figures.wasStopped = isStopped()
    if !figures.wasStopped { dropArrivals() }
    drain()
    let now = LoadClock.now
    if now > secondStart { endSecond(now) }
    figures.abandonedCount = running
    figures.duration = measuredTime
    figures.processorShare = measuredTime > 0 ? measuredOwnTime / measuredTime : 0
    figures.endpoints = world.client.endpointFigures
    return figures
  }

  /// Waits for the running operations. Starts none.
  private func drain() {
    // 5 s after Ctrl-C; otherwise every request has its own time-out.
    let patience = figures.wasStopped ? 5.0 : 120.0
    let deadline = LoadClock.now + Int64(patience * Self.nanoseconds)
    while running > 0, LoadClock.now < deadline {
      world.client.advance(until: min(deadline, LoadClock.now + 100_000_000))
      if isStopped(), !figures.wasStopped { break }
    }
  }

  private func nextMoment(_ end: Int64) -> Int64 {
    var moment = secondStart + 1_000_000_000
    switch plan.model {
    case .open:
      // While the maximum is running, only a reply makes room.
      if let nextArrival, running < plan.maximumConcurrency { moment = min(moment, intended(nextArrival.seconds)) }
    case .closed:
      moment = min(moment, end)
      if let pause = pauses.first { moment = min(moment, pause) }
    }
    return moment
  }

  private func intended(_ seconds: Double) -> Int64 { start + Int64(seconds * Self.nanoseconds) }

  /// Starts the operations of an open load whose time has come.
  private func startArrivals(_ now: Int64) {
    while let arrival = nextArrival, intended(arrival.seconds) <= now {
      guard running < plan.maximumConcurrency else {
        isLimited = true
        return
      }
      nextArrival = schedule.next()
      begin(intended: intended(arrival.seconds), phase: arrival.phase) {}
    }
    isLimited = false
  }

  /// Records the operations that could not start in time as failures. [Starting them now would extend the load as long as the
  /// server is slower than the rate.]
  private func dropArrivals() {
    while let arrival = nextArrival {
      nextArrival = schedule.next()
      guard plan.phases[arrival.phase].isMeasured else { continue }
      figures.operations[pick(), default: OperationFigures()].record(failure: LoadError.Code.notStarted.rawValue)
    }
  }

  /// Starts operations of a closed load until there are as many clients as planned.
  private func startClients(_ now: Int64) {
    let seconds = Double(now - start) / Self.nanoseconds
    guard let (phase, level) = phase(at: seconds) else { return }
    while let first = pauses.first, first <= now { pauses.removeFirst() }
    let wanted = min(Int(level.rounded()), plan.maximumConcurrency)
    while running + pauses.count < wanted {
      let before = running
      begin(intended: LoadClock.now, phase: phase) { [unowned self] in
        if plan.thinkSeconds > 0 { pauses.append(LoadClock.now + Int64(plan.thinkSeconds * Self.nanoseconds)) }
      }
      // An operation that failed at once must not be repeated without end.
      if running == before { return }
    }
  }

  private func phase(at seconds: Double) -> (index: Int, level: Double)? {
    var rest = seconds
    for (index, phase) in plan.phases.enumerated() {
      if rest < phase.seconds { return (index, phase.level(after: rest)) }
      rest -= phase.seconds
    }
    return nil
  }

  private func begin(intended: Int64, phase: Int, then: @escaping () -> Void) {
    let operation = pick()
    let isMeasured = plan.phases[phase].isMeasured
    running += 1
    figures.highestConcurrency = max(figures.highestConcurrency, running)
    let lag = plan.model == .open ? LoadClock.now - intended : 0
    if isMeasured, isLimited { figures.limitedCount += 1 }
    if isMeasured, !isLimited { figures.lag.record(lag / 1_000) }
    let session = world.session(for: operation)
    guard operation.needsSession, session == nil else {
      return measure(operation, in: session, lag: lag, isMeasured: isMeasured, then: then)
    }
    // The sign-in that the operation needs is measured as a sign-in.
    let started = LoadClock.now
    world.signIn(isMeasured: isMeasured) { [unowned self] (result) in
      record(.signIn, result.map { _ in }, started, lag: lag, isMeasured)
      guard case .success(let session) = result else {
        running -= 1
        return then()
      }
      measure(operation, in: session, lag: 0, isMeasured: isMeasured, then: then)
    }
  }

  private func measure(
    _ operation: LoadOperation, in session: LoadSession?, lag: Int64, isMeasured: Bool, then: @escaping () -> Void
  ) {
    let started = LoadClock.now
    world.perform(operation, in: session, isMeasured: isMeasured) { [unowned self] (result) in
      record(operation, result, started, lag: lag, isMeasured)
      running -= 1
      then()
    }
  }

  private func record(
    _ operation: LoadOperation, _ result: Result<Void, LoadFault>, _ started: Int64, lag: Int64, _ isMeasured: Bool
  ) {
    let duration = LoadClock.now - started
    let corrected = (duration + max(0, lag)) / 1_000
    switch result {
    case .success:
      second.successCount += 1
      latency.record(corrected)
      guard isMeasured else { return }
      if plan.keepsHistograms { intervals[operation, default: LatencyHistogram()].record(corrected) }
      figures.operations[operation, default: OperationFigures()].record(
        corrected: corrected, uncorrected: duration / 1_000)
    case .failure(let fault):
      second.failureCount += 1
      guard isMeasured else { return }
      figures.operations[operation, default: OperationFigures()].record(failure: fault.code)
    }
  }

  private func pick() -> LoadOperation {
    var rest = world.random(below: plan.mix.reduce(0) { $0 + $1.weight })
    for share in plan.mix {
      rest -= share.weight
      if rest < 0 { return share.operation }
    }
    return plan.mix.last { $0.weight > 0 }?.operation ?? .signIn
  }

  /// Ends the current second: the figures of its time are complete.
  private func endSecond(_ now: Int64) {
    let length = Double(now - secondStart) / Self.nanoseconds
    let ownTime = LoadClock.ownTime
    let seconds = Double(secondStart - start) / Self.nanoseconds
    second.time = seconds + length
    second.length = length
    second.processorShare = (ownTime - secondOwnTime) / length
    let phase = phase(at: seconds)
    second.level = phase?.level ?? plan.phases.last?.to ?? 0
    if phase.map({ plan.phases[$0.index].isMeasured }) == true {
      measuredTime += length
      measuredOwnTime += ownTime - secondOwnTime
    }
    for (operation, histogram) in intervals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      figures.log.add(operation.rawValue, start: seconds, length: length, histogram)
    }
    intervals = [:]
    // Quantiles only: a week has 604,800 seconds, and a histogram takes some kilobytes.
    (second.median, second.p99) = (latency.quantile(0.5), latency.quantile(0.99))
    (second.p999, second.maximum) = (latency.quantile(0.999), latency.maximum)
    latency = LatencyHistogram()
    figures.seconds.append(second)
    observe(LoadSnapshot(second: second, figures: figures, running: running, plannedSeconds: plan.seconds))
    second = LoadFigures.Second(time: second.time, level: second.level)
    secondStart = now
    secondOwnTime = ownTime
  }
}

/// The state of a running load, once a second.
package struct LoadSnapshot: Sendable {
  /// The latest second.
  package let second: LoadFigures.Second
  /// The figures of the measured phases so far.
  package let figures: LoadFigures
  /// The operations that run now.
  package let running: Int
  /// The duration of all phases.
  package let plannedSeconds: Double
}
