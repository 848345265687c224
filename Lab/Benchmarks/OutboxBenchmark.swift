// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeyTestSupport
internal import WebAuthnTypes

/// The time of a sign-in in the store, alone and beside 10,000 notices a second, in alternating rounds.
enum OutboxBenchmark {
  private static let roundCount = 12
  private static let roundLength = Duration.seconds(3)
  private static let destination = DestinationName(rawValue: "webhook:erp")

  /// Measures SQLite, and PostgreSQL where `PASSKEY_TEST_POSTGRESQL` names a server.
  static func run() async throws {
    print("store        batch   sign-ins/s asked   p50 alone   p50 beside   p95 alone   p95 beside   notices/s")
    let folder = try TemporaryFolder()
    try await measure("SQLite", SQLiteStorage.open(folder.path + "/passkey.db"))
    guard let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL") else { return }
    let configuration = unsafe PostgreSQLConfiguration(url: String(cString: url), schema: "outbox_\(getpid())")
    try await measure("PostgreSQL", PostgreSQLStorage.open(configuration))
  }

  private static func measure(_ name: String, _ storage: DatabaseStorage) async throws {
    var benchmark = StorageBenchmark(storage: storage)
    try await benchmark.populate(to: 1000)
    let filled = benchmark
    for (batch, rate) in [(100, 50), (100, 200), (1000, 50), (1000, 200)] {
      var (alone, beside) = (SignInTimes(), SignInTimes())
      var noticeCount = 0
      for round in 0..<roundCount {
        let isBeside = !round.isMultiple(of: 2)
        let accounts = filled.people.map(\.account.handle)
        let writer = Task { isBeside ? try await write(batch, storage, accounts, from: round * 1_000_000) : 0 }
        let times = try await filled.signInTimes(perSecond: rate, for: roundLength, generator: UInt64(round))
        writer.cancel()
        noticeCount += try await writer.value
        // The first two rounds fill caches.
        guard round >= 2 else { continue }
        if isBeside { beside += times } else { alone += times }
      }
      let seconds = Double(roundCount / 2) * 3
      let columns = [alone.quantile(0.5), beside.quantile(0.5), alone.quantile(0.95), beside.quantile(0.95)]
      print(
        name.padded(to: 13) + "\(batch)".padded(to: 8) + "\(rate)".padded(to: 19)
          + columns.map { "\(Int($0)) µs".padded(to: 12) }.joined()
          + "\(Int(Double(noticeCount) / seconds))")
    }
    _ = try await storage.outboxCounts()
  }

  /// Writes 10,000 notices a second in transactions of `batch`, until cancelled. Returns their number.
  private static func write(
    _ batch: Int, _ storage: DatabaseStorage, _ accounts: [UserHandle], from first: Int
  ) async throws -> Int {
    var count = 0
    var moment = ContinuousClock.now
    while !Task.isCancelled {
      let notices = (0..<batch).map { (offset) in
        RoutedNotice(
          Notice(
            NoticeEvent(rawValue: "order.filled"), cause: "\(first + count + offset)",
            of: accounts[(count + offset) % accounts.count], at: StorageBenchmark.now,
            details: ["order": "o-\(count + offset)"]), to: [destination])
      }
      try await storage.enqueue(notices)
      count += notices.count
      moment += .seconds(1) * batch / 10_000
      try? await Task.sleep(until: moment, clock: .continuous)
    }
    return count
  }
}
