// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyLoad
internal import PasskeyTestSupport

/// The results of `--growth`, as text, as JSON and as charts.
struct GrowthFigures {
  private let subjects: [GrowthSubject]
  /// The databases that were measured with little memory.
  private let limited: [GrowthSubject]

  init(_ subjects: [GrowthSubject], limited: [GrowthSubject]) {
    (self.subjects, self.limited) = (subjects, limited)
  }

  /// A cost of a store, in microseconds or bytes.
  private struct Cost {
    let name: String
    let key: String
    let value: (GrowthSubject) -> Double
  }

  private static var costs: [Cost] {
    [
      Cost(name: "sign-in, server", key: "signIn") { $0.signIns.serverTimes.median },
      Cost(name: "database", key: "signInDatabase") { $0.signIns.databaseTimes.median },
      Cost(name: "× raw", key: "signInRatio") { $0.signIns.serverRatios.median + $0.signIns.databaseRatios.median },
      Cost(name: "p99 ms", key: "signIn99") { $0.signIns.signIn(0.99) },
      Cost(name: "unknown, server", key: "unknownName") { $0.unknownNames.server.median },
      Cost(name: "database", key: "unknownNameDatabase") { $0.unknownNames.database.median },
      Cost(name: "verify, CPU", key: "verification") {
        $0.verification.server.median + $0.verification.database.median
      },
      Cost(name: "bytes/account", key: "bytes") { Double($0.byteCount) / Double($0.signIns.accountCount) },
    ]
  }

  /// One line for each database, and the goals. Times are CPU time in microseconds for a sign-in, for options for an unknown
  /// name, and for verifying an audit record.
  var table: String {
    let heads =
      padded("", 12)
      + (["accounts", "sign-ins/s"] + Self.costs.map(\.name)).map { padded($0, 16, right: true) }.joined()
    var lines = [heads] + subjects.map(Self.line)
    if !limited.isEmpty { lines += ["with less memory than the database has:"] + limited.map(Self.line) }
    return (lines + [""] + goals.map(\.line)).joined(separator: "\n")
  }

  private static func line(_ subject: GrowthSubject) -> String {
    let signIns = subject.signIns
    let cells =
      ["\(signIns.accountCount)", decimals(signIns.rates.median, 0)]
      + costs.map { (cost) in decimals(cost.value(subject), cost.key == "signInRatio" ? 2 : 1) }
    return padded(signIns.name, 12) + cells.map { padded($0, 16, right: true) }.joined()
  }

  /// The growth of a store's CPU time for a sign-in.
  private struct Goal {
    let name: String
    let ratio: Double
    let limit: Double

    var line: String {
      padded(name, 60) + padded("\(decimals(ratio, 3)) ×", 12, right: true)
        + "  goal ≤ \(decimals(limit, 2)) ×: \(ratio <= limit ? "met" : "NOT MET")"
    }

    var json: String {
      #"{"name": "\#(name)", "value": \#(decimals(ratio, 4)), "limit": \#(limit), "goalIsMet": \#(ratio <= limit)}"#
    }
  }

  // 1.10 up to a million accounts, 1.25 above
  private static func limit(_ count: Int) -> Double { count <= 1_000_000 ? 1.1 : 1.25 }

  private var goals: [Goal] {
    ["SQLite", "PostgreSQL"].flatMap { (store) -> [Goal] in
      let all = subjects.filter { $0.signIns.name == store }
      guard let first = all.first?.signIns else { return [] }
      return all.dropFirst().map(\.signIns).flatMap { (other) -> [Goal] in
        let sizes = "\(store), \(other.accountCount) accounts by \(first.accountCount)"
        let server = zip(other.serverTimes, first.serverTimes).map { $0 / $1 }.median
        var goals = [Goal(name: "sign-in, server, \(sizes)", ratio: server, limit: Self.limit(other.accountCount))]
        if other.database != nil {
          let database = zip(other.databaseTimes, first.databaseTimes).map { $0 / max($1, 1) }.median
          goals.append(
            Goal(name: "sign-in, database, \(sizes)", ratio: database, limit: Self.limit(other.accountCount)))
        }
        return goals
      }
    }
  }

  /// One object.
  var json: String {
    func object(_ subject: GrowthSubject, isLimited: Bool) -> String {
      let signIns = subject.signIns
      let members =
        [("accounts", Double(signIns.accountCount)), ("signInsPerSecond", signIns.rates.median)]
        + Self.costs.map { ($0.key, $0.value(subject)) }
      return #"{"store": "\#(signIns.name)", "fitsIntoMemory": \#(!isLimited), "#
        + members.map { #""\#($0)": \#(decimals($1, 4))"# }.joined(separator: ", ") + "}"
    }
    let stores = subjects.map { object($0, isLimited: false) } + limited.map { object($0, isLimited: true) }
    return """
      {"stores": [
        \(stores.joined(separator: ",\n  "))
      ], "goals": [
        \(goals.map(\.json).joined(separator: ",\n  "))
      ]}
      """
  }

  /// Writes the charts and the figures into a folder.
  func write(to folder: String) throws {
    try File.write([UInt8]((json + "\n").utf8), to: "\(folder)/growth.json")
    try chart("growth-sign-in", "CPU time for a sign-in", "µs") { (subject) in
      subject.signIns.serverTimes.median + subject.signIns.databaseTimes.median
    }.write(to: folder)
    try chart("growth-unknown-name", "CPU time of options for an unknown name", "µs") { (subject) in
      subject.unknownNames.server.median + subject.unknownNames.database.median
    }.write(to: folder)
    try chart("growth-audit-verify", "CPU time of `audit verify` for a record", "µs") { (subject) in
      subject.verification.server.median + subject.verification.database.median
    }.write(to: folder)
    try chart("growth-size", "Database size for an account", "bytes") { (subject) in
      Double(subject.byteCount) / Double(subject.signIns.accountCount)
    }.write(to: folder)
  }

  /// A chart with its file name.
  private struct Chart {
    let name: String
    let chart: LineChart

    func write(to folder: String) throws {
      try File.write([UInt8](chart.file.utf8), to: "\(folder)/\(name).svg")
    }
  }

  /// Returns a chart with a line for each store over the logarithm of the number of accounts.
  private func chart(_ name: String, _ title: String, _ unit: String, _ value: (GrowthSubject) -> Double) -> Chart {
    let smallest = log10(Double(subjects.map(\.signIns.accountCount).min() ?? 1))
    func place(_ subject: GrowthSubject) -> Double { log10(Double(subject.signIns.accountCount)) - smallest }
    let lines = [("SQLite", "a"), ("PostgreSQL", "b")].compactMap { (store, style) -> LineChart.Line? in
      let points = subjects.filter { $0.signIns.name == store }.map { (x: place($0), y: value($0)) }
      return points.isEmpty ? nil : .init(name: store, style: style, points: points)
    }
    let counts = Dictionary(subjects.map { (place($0), $0.signIns.accountCount) }) { (first, _) in first }
    return Chart(
      name: name,
      chart: LineChart(
        title: title, unit: unit, axis: "accounts", lines: lines,
        ticks: counts.sorted { $0.key < $1.key }.map { (x: $0.key, text: "\($0.value)") }))
  }
}
