// SPDX-License-Identifier: Apache-2.0

internal import PasskeyLoad

/// A server on a database, with its measurements.
final class ServerSubject {
  let name: String
  let accountCount: Int
  let server: ServerProcess

  /// The number of sign-ins, including unmeasured ones.
  private(set) var signInCount = 0

  /// The measured rounds, and the server's CPU time of each in seconds.
  private(set) var rounds: [(load: LoadRound, serverTime: Double)] = []

  private let load: Load
  private let limit = Limit()

  /// Shared with the callbacks of a load.
  private final class Limit {
    var isReached = false
  }

  init(_ name: String, accountCount: Int, server: ServerProcess) throws {
    (self.name, self.accountCount, self.server) = (name, accountCount, server)
    load = try Load(
      LoadTarget(port: server.port), LoadAccounts.plan(accountCount), isStopped: { [limit] in limit.isReached })
    try load.prepare(accountCount, exist: true)
  }

  /// Signs in as random accounts from this many clients. Throws unless every response is a success.
  func signIn(clients: Int, seconds: Double, beside raw: RawVerification, isMeasured: Bool = true) throws {
    let serverStart = try server.processorTime
    let round = try LoadRound(load, plan(clients, seconds), beside: raw)
    signInCount += round.count
    if isMeasured { rounds.append((round, try server.processorTime - serverStart)) }
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
    var plan = LoadAccounts.plan(accountCount)
    plan.phases = [.init(from: Double(clients), to: Double(clients), seconds: seconds)]
    return plan
  }

  /// The sign-ins per second of each round.
  var rates: [Double] { rounds.map { Double($0.load.count) / $0.load.seconds } }

  /// The same, relative to raw OpenSSL verifications on one processor.
  var ratios: [Double] { zip(rates, rounds).map { $0 / $1.load.raw } }

  /// The server's CPU time for a sign-in in microseconds, of each round.
  var serverTimes: [Double] { rounds.map { $0.serverTime * 1e6 / Double($0.load.count) } }

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
