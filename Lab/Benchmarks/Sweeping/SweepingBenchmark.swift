// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeyTestSupport
internal import Synchronization

/// The time of a sign-in in the store, alone and beside work that the service does from time to time, in alternating rounds: the
/// deletion of expired rows, erasures, and the verification of the audit trail.
///
/// The goal is that no sign-in is locked out for more than 50 ms. A sign-in that is locked out waits at least as long, so
/// the longest time above the median of those alone estimates the lock-out. The same figure of the rounds alone says how long
/// a sign-in waits on this machine for other reasons. Session IDs and tokens are random here, so a sign-in changes more pages
/// than that of a server.
struct SweepingBenchmark {
  let accountCount: Int

  // 200 sign-ins a second [a busy server, and less than half of what one processor does]
  private static let rate = 200
  private static let roundLength = Duration.seconds(3)
  // 5 rounds of each kind, more if the sweep is not done by then.
  private static let roundCount = 5
  private static let maximumRoundCount = 60
  private static let peopleCount = 1000

  private static let now = StorageBenchmark.now

  /// Measures SQLite, and PostgreSQL where `PASSKEY_TEST_POSTGRESQL` names a server.
  func run() async throws {
    print("times of \(Self.rate) sign-ins a second, in ms, with \(accountCount) accounts")
    print("stall: the longest time in which sign-ins were running and none ended")
    print(Figures.heads)
    try await measureSQLite()
    guard let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL").map({ unsafe String(cString: $0) }) else { return }
    let schema = "sweeping_\(getpid())"
    let configuration = PostgreSQLConfiguration(url: url, schema: schema)
    await (try PostgreSQLStorage.open(configuration)).close()
    try fill(
      "PGOPTIONS='-c search_path=\(schema)' psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \(ShellCommand.quoted(url))",
      isPostgreSQL: true)
    try await measure("PostgreSQL", PostgreSQLStorage.open(configuration))
  }

  private func measureSQLite() async throws {
    // A folder that is deleted before PostgreSQL needs the space.
    let folder = try ServerFolder()
    let path = folder.path + "/sweeping.sqlite"
    await (try SQLiteStorage.open(path)).close()
    try fill("sqlite3 -batch \(ShellCommand.quoted(path))", isPostgreSQL: false)
    try await measure("SQLite", SQLiteStorage.open(path))
    withExtendedLifetime(folder) {}
  }

  private func fill(_ program: String, isPostgreSQL: Bool) throws {
    let start = ContinuousClock.now
    let rows = SweepingRows(accountCount: accountCount, now: Self.now, isPostgreSQL: isPostgreSQL)
    try ShellCommand.output("\(program) >/dev/null <<'END'\n\(rows.script)\nEND")
    note(
      "\(isPostgreSQL ? "PostgreSQL" : "SQLite"): filled after \((ContinuousClock.now - start).components.seconds) s")
  }

  private func measure(_ name: String, _ storage: DatabaseStorage) async throws {
    var benchmark = StorageBenchmark(storage: storage)
    // Half of the accounts are for erasures.
    try await benchmark.populate(to: 2 * Self.peopleCount)
    let subject = benchmark.split(at: Self.peopleCount)
    // The first round fills caches.
    _ = try await subject.signIns.signInTimes(perSecond: Self.rate, for: Self.roundLength, generator: 0)
    var goals: [String] = []
    for work in [Work.sweep, .erasures(subject.others), .verification] {
      let figures = try await measure(work, subject.signIns)
      print(name.padded(to: 12) + figures.line)
      goals.append("\(name), \(figures.goal)")
      fflush(nil)
    }
    print(goals.joined(separator: "\n"))
    await storage.close()
  }

  private func measure(_ work: Work, _ benchmark: StorageBenchmark) async throws -> Figures {
    var figures = Figures(name: work.name)
    let progress = Progress()
    for round in 1...Self.maximumRoundCount where round <= Self.roundCount || !progress.isDone(work) {
      figures.alone += try await benchmark.signInTimes(
        perSecond: Self.rate, for: Self.roundLength, generator: UInt64(2 * round))
      let start = ContinuousClock.now
      let task = Task { try await work.run(benchmark.storage, progress) }
      figures.beside += try await benchmark.signInTimes(
        perSecond: Self.rate, for: Self.roundLength, generator: UInt64(2 * round + 1))
      task.cancel()
      try await task.value
      figures.time += ContinuousClock.now - start
    }
    figures.count = progress.count
    return figures
  }
}

extension SweepingBenchmark {
  /// How far the work is.
  private final class Progress: Sendable {
    private let done = Atomic(0)
    private let hasEnded = Atomic(false)

    var count: Int { done.load(ordering: .relaxed) }

    func add(_ count: Int) {
      done.wrappingAdd(count, ordering: .relaxed)
      if count == 0 { hasEnded.store(true, ordering: .relaxed) }
    }

    /// A sweep deletes all rows and then compacts the file.
    func isDone(_ work: Work) -> Bool { if case .sweep = work { hasEnded.load(ordering: .relaxed) } else { true } }
  }

  /// Work beside the sign-ins.
  private enum Work: Sendable {
    case sweep
    case erasures([StorageBenchmark.Person])
    case verification

    var name: String {
      switch self {
      case .sweep: "sweep"
      case .erasures: "erasures"
      case .verification: "verification"
      }
    }

    /// Works until the task is cancelled.
    func run(_ storage: DatabaseStorage, _ progress: Progress) async throws {
      while !Task.isCancelled {
        switch self {
        case .sweep:
          // The limit is that of the service.
          let now = SweepingBenchmark.now
          let bounds = SweepBounds(time: now, personalDetailsBefore: now)
          let count = try await storage.sweep(bounds, limit: 500)
          progress.add(count)
          if count == 0 { try? await Task.sleep(for: SweepingBenchmark.roundLength) }
        case .erasures(let people):
          // 20 a second [far more than people ask for].
          guard progress.count < people.count else { return }
          _ = try await storage.erase(people[progress.count].account.handle, spending: nil, audit: [])
          progress.add(1)
          try? await Task.sleep(for: .milliseconds(50))
        case .verification:
          // All rows in one snapshot, as a verification reads them.
          _ = try await storage.readAuditLog { (log) throws(ServiceError) in
            var next: Int64? = .min
            while let first = next, !Task.isCancelled, let page = try? log.page(from: first) {
              progress.add(page.records.count)
              next = page.next
            }
          }
        }
      }
    }
  }

  private struct Figures {
    let name: String
    var alone = SignInTimes()
    var beside = SignInTimes()
    var count = 0
    var time = Duration.zero

    static let heads =
      "store".padded(to: 12) + "beside".padded(to: 14)
      + ["alone: p50", "p99", "max", "stall", "beside: p50", "p99", "max", "stall", "done", "each second"].enumerated()
      .map { (place, head) in Benchmarks.padded(head, width(place), right: true) }.joined()

    private static func width(_ place: Int) -> Int { [0, 4, 9].contains(place) ? 13 : 8 }

    var line: String {
      let times = [alone, beside].flatMap { (times) in
        [0.5, 0.99, 1].map { times.quantile($0) } + [times.longestStall]
      }
      let cells =
        times.map { decimals($0 / 1000, 1) } + ["\(count)", decimals(Double(count) / (time / .seconds(1)), 0)]
      return name.padded(to: 14)
        + cells.enumerated().map { (place, cell) in Benchmarks.padded(cell, Self.width(place), right: true) }.joined()
    }

    // 50 ms
    private static let limit = 50_000.0

    /// The longest wait of a sign-in, which estimates the lock-out, and the goal.
    var goal: String {
      let (wait, control) = (beside.longestWait(over: alone), alone.longestWait(over: alone))
      let outcome =
        if wait <= Self.limit { "met" } else if control > Self.limit {
          "not decided, sign-ins alone also wait longer"
        } else { "NOT MET" }
      return "lock-out of a sign-in by the \(name): \(decimals(wait / 1000, 1)) ms "
        + "(alone \(decimals(control / 1000, 1)) ms)  goal ≤ \(decimals(Self.limit / 1000, 0)) ms: \(outcome)"
    }
  }
}

extension StorageBenchmark {
  /// Returns a benchmark that signs in as the first people, and the others.
  fileprivate func split(at count: Int) -> (signIns: StorageBenchmark, others: [Person]) {
    (StorageBenchmark(storage: storage, people: Array(people.prefix(count))), Array(people.dropFirst(count)))
  }
}
