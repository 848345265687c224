// SPDX-License-Identifier: Apache-2.0

/// A server on a database, and what was measured of it.
final class ServerSubject {
  let name: String
  let accountCount: Int
  let server: ServerProcess

  /// How often somebody has signed in, also where it was not measured.
  var signInCount = 0

  /// Its rounds, and how many verifications a second OpenSSL alone did beside each.
  private(set) var rounds: [(load: Load, raw: Double)] = []

  init(_ name: String, accountCount: Int, server: ServerProcess) {
    (self.name, self.accountCount, self.server) = (name, accountCount, server)
  }

  func add(_ load: Load, raw: Double) {
    rounds.append((load, raw))
  }

  /// Sign-ins a second, in each round.
  var rates: [Double] { rounds.map { Double($0.load.signInCount) / $0.load.seconds } }

  /// The same, as a part of what OpenSSL alone does on one processor.
  var ratios: [Double] { zip(rates, rounds).map { $0 / $1.raw } }

  /// What a sign-in takes of the server's processor, in microseconds, in each round.
  var serverTimes: [Double] { rounds.map { $0.load.serverTime * 1e6 / Double($0.load.signInCount) } }

  /// And of the client's.
  var clientTimes: [Double] { rounds.map { $0.load.clientTime * 1e6 / Double($0.load.signInCount) } }

  /// What a request takes at the most, but for the slowest part of them, in milliseconds, over all rounds.
  func request(_ part: Double) -> Double { rounds.flatMap(\.load.requests).quantile(part) / 1000 }

  /// The same of both requests together.
  func signIn(_ part: Double) -> Double { rounds.flatMap(\.load.signIns).quantile(part) / 1000 }
}

extension [Double] {
  /// Where so large a part of the numbers is not above.
  func quantile(_ part: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }

  var median: Double { quantile(0.5) }
}
