// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyLoad
internal import PasskeyTestSupport

/// The sign-ins per second that the generator of `passkey load` performs with one processor, and how the latencies that it
/// reports compare with a server's own.
///
/// The server answers without verification. Rounds alternate with raw OpenSSL verifications. The CPU time of the generator's
/// thread counts, so that other work on the machine hardly changes the result.
struct LoadBenchmark {
  private let settings: ServerBenchmarkSettings
  private let raw: RawVerification

  // 1,000 accounts [each with its own key]
  private static let accountCount = 1_000

  init(_ settings: ServerBenchmarkSettings) throws {
    self.settings = settings
    raw = try RawVerification(SignatureFixture(.es256))
  }

  func run() throws {
    let figures = GeneratorFigures(rounds: try speed(), agreement: try agreement())
    print(settings.isJSON ? figures.json : figures.table)
  }

  /// Measures sign-ins by clients that wait for nothing but the server.
  private func speed() throws -> [LoadRound] {
    let server = try NullServer()
    var plan = plan
    plan.model = .closed
    let clients = Double(settings.clients)
    plan.phases = [.init(from: clients, to: clients, seconds: settings.seconds)]
    let load = try prepared(plan, server)
    // The first round warms connections and caches.
    return try (0...settings.rounds).map { (_) in try LoadRound(load, plan, beside: raw) }.dropFirst().map { $0 }
  }

  /// Measures sign-ins at a low rate, with a server that withholds its responses.
  private func agreement() throws -> GeneratorFigures.Agreement {
    let server = try NullServer(delay: Self.delay)
    var plan = plan
    plan.arrivals = .poisson
    plan.phases = [.init(from: 100, to: 100, seconds: Double(settings.rounds) * settings.seconds)]
    let load = try prepared(plan, server)
    let round = try LoadRound(load, plan, beside: raw)
    return .init(client: round, server: server.current.signIns)
  }

  /// Returns milliseconds for a response: 5 to 24, and 60 to 139 for one of 25.
  private static func delay(_ number: Int) -> Int {
    let mixed = Int((UInt64(number) &* 0x9e37_79b9_7f4a_7c15) >> 40)
    return mixed.isMultiple(of: 25) ? 60 + mixed / 25 % 80 : 5 + mixed / 25 % 20
  }

  private var plan: LoadPlan {
    var plan = LoadPlan()
    plan.seed = "benchmark"
    plan.accountCount = Self.accountCount
    return plan
  }

  private func prepared(_ plan: LoadPlan, _ server: NullServer) throws -> Load {
    let load = try Load(LoadTarget(port: server.port), plan)
    try load.prepare(plan.accountCount, exist: true)
    return load
  }
}
