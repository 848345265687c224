// SPDX-License-Identifier: Apache-2.0

/// A server on a database, with its measurements.
final class ServerSubject {
  let name: String
  let accountCount: Int
  let server: ServerProcess

  /// The number of sign-ins, including unmeasured ones.
  var signInCount = 0

  /// The rounds, with the raw OpenSSL verifications per second beside each.
  private(set) var rounds: [(load: Load, raw: Double)] = []

  init(_ name: String, accountCount: Int, server: ServerProcess) {
    (self.name, self.accountCount, self.server) = (name, accountCount, server)
  }

  func add(_ load: Load, raw: Double) {
    rounds.append((load, raw))
  }

  /// The sign-ins per second of each round.
  var rates: [Double] { rounds.map { Double($0.load.signInCount) / $0.load.seconds } }

  /// The same, relative to raw OpenSSL verifications on one processor.
  var ratios: [Double] { zip(rates, rounds).map { $0 / $1.raw } }

  /// The server's CPU time for a sign-in in microseconds, of each round.
  var serverTimes: [Double] { rounds.map { $0.load.serverTime * 1e6 / Double($0.load.signInCount) } }

  /// The clients' CPU time for a sign-in in microseconds, of each round.
  var clientTimes: [Double] { rounds.map { $0.load.clientTime * 1e6 / Double($0.load.signInCount) } }

  /// Returns a percentile of the request durations in milliseconds, over all rounds.
  func request(_ part: Double) -> Double { rounds.flatMap(\.load.requests).quantile(part) / 1000 }

  /// Returns a percentile of the durations of complete sign-ins.
  func signIn(_ part: Double) -> Double { rounds.flatMap(\.load.signIns).quantile(part) / 1000 }
}

extension [Double] {
  /// Returns a percentile of numbers.
  func quantile(_ part: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }

  var median: Double { quantile(0.5) }
}
