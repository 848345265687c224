// SPDX-License-Identifier: Apache-2.0

internal import PasskeyLoad

/// A server on a database, with its measurements.
final class ServerSubject {
  let name: String
  let accountCount: Int
  let server: ServerProcess

  /// The database server, if it is a process of its own.
  let database: PostgreSQLProcesses?

  /// The number of sign-ins, including unmeasured ones.
  private(set) var signInCount = 0

  /// The measured rounds, and the CPU time of server and database in each, in seconds.
  private(set) var rounds: [(load: LoadRound, serverTime: Double, databaseTime: Double)] = []

  /// The round at half the maximum rate.
  private var halfRound: LoadRound?

  private let load: Load
  /// The number of accounts that sign in.
  private let used: Int
  private let limit = Limit()

  /// Shared with the callbacks of a load.
  private final class Limit {
    var isReached = false
  }

  init(_ name: String, accountCount: Int, server: ServerProcess, database: PostgreSQLProcesses? = nil) throws {
    (self.name, self.accountCount, self.server, self.database) = (name, accountCount, server, database)
    used = min(accountCount, Self.usedAccountCount)
    load = try Load(LoadTarget(port: server.port), LoadAccounts.plan(used), isStopped: { [limit] in limit.isReached })
    try load.prepare(used, exist: true, every: accountCount / used)
  }

  // 200,000 accounts, spread evenly over all [their passkeys alone take more pages than a processor's caches hold]
  private static let usedAccountCount = 200_000

  /// Signs in as random accounts from this many clients. Throws unless every response is a success.
  func signIn(clients: Int, seconds: Double, beside raw: RawVerification, isMeasured: Bool = true) throws {
    let (serverStart, databaseStart) = (try server.processorTime, try database?.processorTime)
    let round = try LoadRound(load, plan(clients, seconds), beside: raw)
    signInCount += round.count
    guard isMeasured else { return }
    let databaseTime = (try database?.processorTime ?? 0) - (databaseStart ?? 0)
    rounds.append((round, try server.processorTime - serverStart, databaseTime))
  }

  /// Signs in at half the median rate of the measured rounds. The database first finishes what it would do in the background.
  func signInAtHalfLoad(clients: Int, seconds: Double, beside raw: RawVerification) throws {
    try database?.settle()
    var plan = LoadAccounts.plan(used)
    plan.maximumConcurrency = clients
    plan.model = .open
    plan.arrivals = .poisson
    plan.phases = [.init(from: max(1, rates.median / 2), to: max(1, rates.median / 2), seconds: seconds)]
    let round = try LoadRound(load, plan, beside: raw, mayMiss: true)
    signInCount += round.count
    halfRound = round
  }

  /// Signs in and returns the number of sign-ins.
  func signIn(clients: Int, seconds: Double) throws -> Int {
    let figures = load.run(plan(clients, seconds))
    guard figures.total.failureCount == 0 else { throw LoadRound.Failed(failures: figures.total.failures) }
    return figures.total.successCount
  }

  /// Signs in until the server has had this many sign-ins, give or take those of a second.
  func signIn(clients: Int, upTo total: Int) throws {
    let missing = total - signInCount
    guard missing > 0 else { return }
    let figures = load.run(plan(clients, Self.longest)) { [limit] (snapshot) in
      limit.isReached = snapshot.figures.total.successCount >= missing
    }
    limit.isReached = false
    signInCount += figures.total.successCount
    guard figures.total.failureCount == 0 else { throw LoadRound.Failed(failures: figures.total.failures) }
  }

  // A day [a million sign-ins take minutes]
  private static let longest = 86_400.0

  private func plan(_ clients: Int, _ seconds: Double) -> LoadPlan {
    var plan = LoadAccounts.plan(used)
    plan.phases = [.init(from: Double(clients), to: Double(clients), seconds: seconds)]
    return plan
  }

  /// The sign-ins per second of each round.
  var rates: [Double] { rounds.map { Double($0.load.count) / $0.load.seconds } }

  /// The same, relative to raw OpenSSL verifications on one processor.
  var ratios: [Double] { zip(rates, rounds).map { $0 / $1.load.raw } }

  /// The server's CPU time for a sign-in in microseconds, of each round.
  var serverTimes: [Double] { rounds.map { $0.serverTime * 1e6 / Double($0.load.count) } }

  /// The database's CPU time for a sign-in in microseconds, of each round.
  var databaseTimes: [Double] { rounds.map { $0.databaseTime * 1e6 / Double($0.load.count) } }

  /// The server's CPU time for a sign-in by that of a raw OpenSSL verification, of each round.
  var serverRatios: [Double] { rounds.map { $0.serverTime / Double($0.load.count) * $0.load.raw } }

  /// The same for the database.
  var databaseRatios: [Double] { rounds.map { $0.databaseTime / Double($0.load.count) * $0.load.raw } }

  /// The 99th percentile of complete sign-ins at half load, in milliseconds; nil if it was not measured.
  var signIn99AtHalfLoad: Double? { halfRound.map { Self.quantile(0.99, [$0.signIns]) } }

  /// The number of sign-ins that could not start at half load, because all clients were busy; nil if it was not measured.
  var missedAtHalfLoad: Int? { halfRound?.missedCount }

  /// The clients' CPU time for a sign-in in microseconds, of each round.
  var clientTimes: [Double] { rounds.map { $0.load.clientTime * 1e6 / Double($0.load.count) } }

  /// Returns a percentile of the request durations in milliseconds, over all rounds.
  func request(_ part: Double) -> Double { Self.quantile(part, rounds.map(\.load.requests)) }

  /// Returns a percentile of the durations of complete sign-ins.
  func signIn(_ part: Double) -> Double { Self.quantile(part, rounds.map(\.load.signIns)) }

  private static func quantile(_ part: Double, _ histograms: [LatencyHistogram]) -> Double {
    Double(histograms.reduce(into: LatencyHistogram()) { $0.add($1) }.quantile(part)) / 1000
  }
}

extension [Double] {
  /// Returns a percentile of numbers.
  func quantile(_ part: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }

  var median: Double { quantile(0.5) }
}
