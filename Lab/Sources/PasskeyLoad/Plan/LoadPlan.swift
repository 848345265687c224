// SPDX-License-Identifier: Apache-2.0

/// A load: which operations, how many a second or by how many clients, and for how long.
package struct LoadPlan: Hashable, Sendable {
  /// The rule for starting operations.
  package enum Model: String, Hashable, Sendable {
    /// Operations start at a rate, whether or not earlier ones have ended, as with independent users.
    case open
    /// Each of a number of clients starts an operation when its previous one has ended.
    case closed
  }

  /// The times between the starts of an open load.
  package enum Arrivals: String, Hashable, Sendable {
    /// All equal.
    case constant
    /// Exponentially distributed, as with independent users.
    case poisson
  }

  /// A part of the load. The rate or the number of clients changes linearly.
  package struct Phase: Hashable, Sendable {
    /// Operations per second, or clients, at the start.
    package var from: Double
    /// Operations per second, or clients, at the end.
    package var to: Double
    /// The duration in seconds.
    package var seconds: Double
    /// Whether the figures count. A warm-up is not measured.
    package var isMeasured = true

    package init(from: Double, to: Double, seconds: Double, isMeasured: Bool = true) {
      self.from = from
      self.to = to
      self.seconds = seconds
      self.isMeasured = isMeasured
    }

    /// Returns the rate or the number of clients after some seconds of the phase.
    package func level(after seconds: Double) -> Double {
      self.seconds > 0 ? from + (to - from) * max(0, min(seconds / self.seconds, 1)) : to
    }
  }

  /// The weight of a kind of operation.
  package struct Share: Hashable, Sendable {
    package var operation: LoadOperation
    package var weight: Double

    package init(_ operation: LoadOperation, _ weight: Double) {
      self.operation = operation
      self.weight = weight
    }
  }

  /// How the data of accounts follow from the seed.
  package enum Population: Hashable, Sendable {
    /// Each account has its own key and random identifiers, as passkeys have.
    case individual
    /// For a million accounts that a benchmark writes into a database: they share 1,024 keys, and their names and
    /// credential IDs ascend. [A million keys take gigabytes, and random identifiers hours of disk writes.]
    case bulk
  }

  /// A request in a session.
  package struct Request: Hashable, Sendable {
    package var method: String
    package var path: String

    package init(method: String, path: String) {
      self.method = method
      self.path = path
    }
  }

  package var model = Model.open
  package var arrivals = Arrivals.constant
  package var phases = [Phase(from: 10, to: 10, seconds: 10)]
  package var mix = [Share(.signIn, 1)]

  /// The number of accounts that are created before the load.
  package var accountCount = 100

  package var population = Population.individual

  /// The text from which keys, identifiers and the order of operations are derived.
  package var seed = ""

  package var objectives: [Objective] = []

  /// The request of `request`, and the action that `step-up` confirms; nil for the profile's `me`.
  package var request: Request?

  /// The pause of a client between two operations of a closed load, in seconds.
  package var thinkSeconds = 0.0

  /// The maximum number of operations that run at the same time. Later ones wait, which counts as latency.
  package var maximumConcurrency = 256

  /// Whether to keep a histogram of each second, which ``LoadFigures/log`` contains. [A kilobyte a second.]
  package var keepsHistograms = false

  /// Whether connections persist. Otherwise each request opens one; TLS sessions are resumed.
  package var keepsConnections = true

  /// Creates a plan of ten sign-ins a second for ten seconds.
  package init() {}

  /// The duration of all phases in seconds.
  package var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }

  /// The highest rate, or the largest number of clients.
  package var highestLevel: Double { phases.reduce(0) { max($0, $1.from, $1.to) } }
}

extension LoadPlan {
  // 1,000,000 [the keys of 10,000 accounts take 40 MB]
  package static let maximumAccountCount = 1_000_000
  package static let maximumLevel = 1_000_000.0
  // 7 days
  package static let maximumSeconds = 604_800.0
  // 10,000 [each takes a descriptor of this process]
  package static let maximumConcurrency = 10_000

  /// Throws if a value is out of range.
  ///
  /// - Throws: `load.invalid-plan`.
  package func check() throws(LoadError) {
    func require(_ condition: Bool, _ detail: String) throws(LoadError) {
      if !condition { throw LoadError(.invalidPlan, detail) }
    }
    try require(!phases.isEmpty && phases.count <= 100, "1 to 100 phases")
    for phase in phases {
      let levels = [phase.from, phase.to]
      try require(
        levels.allSatisfy { 0...Self.maximumLevel ~= $0 }, "a rate or number of clients from 0 to 1000000")
      try require(phase.seconds > 0 && phase.seconds <= Self.maximumSeconds, "a duration above 0 and up to 7 days")
    }
    try require(highestLevel > 0, "a rate or a number of clients above 0")
    try require(seconds <= Self.maximumSeconds, "phases of 7 days at most")
    try require(
      !mix.isEmpty && mix.allSatisfy { $0.weight >= 0 && $0.weight <= 1e6 } && mix.contains { $0.weight > 0 },
      "a mix with a weight above 0")
    try require(Set(mix.map(\.operation)).count == mix.count, "each operation once")
    try require(1...Self.maximumAccountCount ~= accountCount, "1 to 1000000 accounts")
    try require(1...Self.maximumConcurrency ~= maximumConcurrency, "1 to 10000 connections")
    try require(0...3_600 ~= thinkSeconds, "a pause of 0 to 3600 seconds")
    try require(seed.utf8.count <= 256, "a seed of at most 256 bytes")
    if let request {
      try require(request.path.hasPrefix("/"), "a path that begins with a slash")
    }
  }
}
