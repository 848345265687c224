// SPDX-License-Identifier: Apache-2.0

internal import PasskeyLoad
internal import PasskeyProfiles
internal import WebAuthnClient
internal import WebAuthnTypes

/// One measured load of sign-ins, between two measurements of raw OpenSSL verifications.
struct LoadRound {
  /// Not every sign-in succeeded.
  struct Failed: Error {
    let failures: [String: Int]
  }

  let figures: LoadFigures

  /// The elapsed time in seconds.
  let seconds: Double

  /// The CPU time of the load generator's thread in seconds.
  let clientTime: Double

  /// The raw OpenSSL verifications per second of one processor.
  let raw: Double

  /// Runs a load and measures it. Throws if a sign-in failed; with `mayMiss`, one that could not start because the maximum
  /// number was running is only counted.
  init(_ load: Load, _ plan: LoadPlan, beside verification: RawVerification, mayMiss: Bool = false) throws {
    let before = try verification.rate()
    let (start, ownStart) = (LoadClock.now, LoadClock.ownTime)
    figures = load.run(plan)
    seconds = Double(LoadClock.now - start) / 1e9
    clientTime = LoadClock.ownTime - ownStart
    raw = (before + (try verification.rate())) / 2
    let failures = figures.total.failures.filter { !mayMiss || $0.key != Self.notStarted }
    guard failures.isEmpty else { throw Failed(failures: failures) }
  }

  private static let notStarted = LoadError.Code.notStarted.rawValue

  /// The number of sign-ins that could not start.
  var missedCount: Int { figures.total.failures[Self.notStarted] ?? 0 }

  /// The number of sign-ins.
  var count: Int { figures.total.successCount }

  /// The durations of complete sign-ins.
  var signIns: LatencyHistogram { figures.total.corrected }

  /// The durations of the requests of sign-ins.
  var requests: LatencyHistogram {
    figures.endpoints.values.reduce(into: LatencyHistogram()) { $0.add($1.corrected) }
  }
}

extension LoadTarget {
  /// A server of the profile `raxx` at a port of this machine.
  init(port: UInt16) throws {
    let address = try ServerAddress("http://127.0.0.1:\(port)")
    self.init(server: address, profile: .raxx, origin: try WebOrigin("https://raxx.app"))
  }
}

extension RawVerification {
  /// Returns the verifications per second of one processor.
  func rate() throws -> Double {
    let count = 4000
    let start = LoadClock.ownTime
    for _ in 0..<count { try verify() }
    return Double(count) / (LoadClock.ownTime - start)
  }
}
