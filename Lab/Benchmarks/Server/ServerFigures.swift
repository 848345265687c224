// SPDX-License-Identifier: Apache-2.0

/// The results of a run of `--server`, as text and as JSON.
struct ServerFigures {
  private let subjects: [ServerSubject]

  /// The goals for speed, and for memory, which is measured last.
  private var memory: [Promise] = []

  init(_ subjects: [ServerSubject]) {
    self.subjects = subjects
  }

  /// Adds the current memory of a server.
  mutating func add(_ memory: (resident: Double, most: Double), of subject: ServerSubject) {
    let after = "after \(subject.signInCount) sign-ins, \(subject.accountCount) accounts"
    self.memory = [("resident memory", memory.resident), ("peak memory", memory.most)].map { (name, value) in
      Promise(
        name: "\(name) \(after)", value: value, places: 1, unit: "MiB", goal: "< 64 MiB", isMet: value < 64)
    }
  }

  /// A figure with a goal.
  private struct Promise {
    let name: String
    let value: Double
    let places: Int
    let unit: String
    let goal: String
    let isMet: Bool

    var line: String {
      padded(name, 60) + padded("\(decimals(value, places)) \(unit)", 12, right: true)
        + "  goal \(goal): \(isMet ? "met" : "NOT MET")"
    }

    var json: String {
      #"{"name": "\#(name)", "value": \#(decimals(value, 4)), "goal": "\#(goal)", "goalIsMet": \#(isMet)}"#
    }
  }

  /// The SQLite servers, to which the goals apply.
  private var files: [ServerSubject] { subjects.filter { $0.name == "SQLite" } }

  private var promises: [Promise] { files.flatMap(speed) + growth }

  private func speed(of subject: ServerSubject) -> [Promise] {
    let (ratio, request, signIn) = (subject.ratios.median, subject.request(0.99), subject.signIn(0.99))
    return [
      Promise(
        name: "sign-ins by raw verifications, \(subject.accountCount) accounts", value: ratio, places: 3, unit: "×",
        goal: "≥ 0.35 ×", isMet: ratio >= 0.35),
      Promise(
        name: "request, 99 of 100, \(subject.accountCount) accounts", value: request, places: 1, unit: "ms",
        goal: "< 25 ms", isMet: request < 25),
      Promise(
        name: "sign-in, 99 of 100, \(subject.accountCount) accounts", value: signIn, places: 1, unit: "ms",
        goal: "< 25 ms", isMet: signIn < 25),
    ]
  }

  private var growth: [Promise] {
    guard let first = files.first else { return [] }
    return files.dropFirst().flatMap { (other) -> [Promise] in
      let time = zip(other.serverTimes, first.serverTimes).map { $0 / $1 }.median
      let rate = zip(first.rates, other.rates).map { $0 / $1 }.median
      let sizes = "\(other.accountCount) accounts by \(first.accountCount)"
      return [
        Promise(
          name: "server CPU time per sign-in, \(sizes)", value: time, places: 3, unit: "×", goal: "≤ 1.10 ×",
          isMet: time <= 1.10),
        Promise(
          name: "time between sign-ins, \(sizes)", value: rate, places: 3, unit: "×", goal: "≤ 1.10 ×",
          isMet: rate <= 1.10),
      ]
    }
  }

  /// One line for each database and each goal.
  var table: String {
    let heads =
      padded("", 12)
      + ["accounts", "sign-ins/s", "× raw", "server µs", "client µs", "request p50", "p99", "sign-in p50", "p99 ms"]
      .map { padded($0, 12, right: true) }.joined()
    let lines = subjects.map { (subject) in
      padded(subject.name, 12)
        + [
          "\(subject.accountCount)", decimals(subject.rates.median, 0), decimals(subject.ratios.median, 3),
          decimals(subject.serverTimes.median, 1), decimals(subject.clientTimes.median, 1),
          decimals(subject.request(0.5), 1), decimals(subject.request(0.99), 1), decimals(subject.signIn(0.5), 1),
          decimals(subject.signIn(0.99), 1),
        ].map { padded($0, 12, right: true) }.joined()
    }
    let raw = subjects.flatMap { $0.rounds.map(\.load.raw) }.median
    let rest = "raw verifications per second on one processor: \(decimals(raw, 0))"
    return ([heads] + lines + [rest, ""] + promises.map(\.line)).joined(separator: "\n")
  }

  /// The lines below the table.
  var memoryTable: String { memory.map(\.line).joined(separator: "\n") }

  /// Returns one object.
  func json(with costs: ServerCosts) -> String {
    let stores = subjects.map { (subject) in
      let members: [(String, Double)] = [
        ("accounts", Double(subject.accountCount)), ("signInsPerSecond", subject.rates.median),
        ("ratioToRaw", subject.ratios.median), ("serverMicroseconds", subject.serverTimes.median),
        ("clientMicroseconds", subject.clientTimes.median), ("requestMedian", subject.request(0.5)),
        ("request99", subject.request(0.99)), ("signInMedian", subject.signIn(0.5)),
        ("signIn99", subject.signIn(0.99)), ("raw", subject.rounds.map(\.load.raw).median),
      ]
      return #"{"store": "\#(subject.name)", "#
        + members.map { #""\#($0)": \#(decimals($1, 4))"# }.joined(separator: ", ") + "}"
    }
    return """
      {"stores": [
        \(stores.joined(separator: ",\n  "))
      ], "costs": \(costs.json), "promises": [
        \((promises + memory).map(\.json).joined(separator: ",\n  "))
      ]}
      """
  }
}
