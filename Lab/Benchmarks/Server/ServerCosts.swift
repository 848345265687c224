// SPDX-License-Identifier: Apache-2.0

/// The costs of a sign-in in server and database, as text and as JSON.
struct ServerCosts {
  private let columns: [(subject: ServerSubject, counts: ServerCounts)]

  init(_ columns: [(subject: ServerSubject, counts: ServerCounts)]) {
    self.columns = columns
  }

  /// A row of the table.
  private struct Row {
    let name: String
    let key: String
    let places: Int
    let value: (ServerSubject, ServerCounts) -> Double?
  }

  private static func rows(
    _ program: String, _ key: String, _ find: @escaping (ServerCounts) -> ServerCounts.Program?
  ) -> [Row] {
    let kinds: [(String, String, (ServerCounts.Program) -> Double?)] = [
      ("instructions", "Instructions", \.instructions), ("system calls", "SystemCalls", \.systemCalls),
      ("context switches", "ContextSwitches", \.contextSwitches), ("allocations", "Allocations", \.allocations),
      ("statements", "Statements", \.statements),
    ]
    return kinds.map { (name, suffix, count) in
      Row(name: "\(program), \(name)", key: key + suffix, places: name == "instructions" ? 0 : 1) { (_, counts) in
        find(counts).flatMap(count)
      }
    }
  }

  private static var rows: [Row] {
    // The database does not count its allocations, and the server's statements are the database's.
    let server = rows("server", "server") { $0.server }
    let database = rows("database", "database") { $0.database }.filter { !$0.key.hasSuffix("Allocations") }
    return [
      Row(name: "server, CPU × raw", key: "serverRatio", places: 2) { (subject, _) in subject.serverRatios.median }
    ]
      + server + [
        Row(name: "database, CPU × raw", key: "databaseRatio", places: 2) { (subject, _) in
          subject.database.map { (_) in subject.databaseRatios.median }
        }
      ] + database + [
        Row(name: "p99 at half load, ms", key: "signIn99AtHalfLoad", places: 1) { (subject, _) in
          subject.signIn99AtHalfLoad
        },
        Row(name: "not started at half load", key: "missedAtHalfLoad", places: 0) { (subject, _) in
          subject.missedAtHalfLoad.map { Double($0) }
        },
      ]
  }

  /// A line for each kind of cost, and the goals.
  var table: String {
    let width = 20
    let heads =
      padded("a sign-in", 32)
      + columns.map { padded("\($0.subject.name) \($0.subject.accountCount)", width, right: true) }.joined()
    let lines = Self.rows.map { (row) in
      padded(row.name, 32)
        + columns.map { (column) in padded(Self.text(row, column.subject, column.counts), width, right: true) }.joined()
    }
    return ([heads] + lines + [""] + goals).joined(separator: "\n")
  }

  private static func text(_ row: Row, _ subject: ServerSubject, _ counts: ServerCounts) -> String {
    if let value = row.value(subject, counts) { return decimals(value, row.places) }
    let isInServer =
      subject.database == nil ? row.key.hasPrefix("database") : row.key == "serverStatements"
    return isInServer ? "–" : "not counted"
  }

  private var goals: [String] {
    columns.flatMap { (subject, _) -> [String] in
      let isFile = subject.database == nil
      let limits: [(String, Double?, Double)] = [
        ("server, CPU × raw", subject.serverRatios.median, isFile ? 3 : 4),
        ("database, CPU × raw", isFile ? nil : subject.databaseRatios.median, 6),
        ("p99 at half load, ms", subject.signIn99AtHalfLoad, 10),
        // The percentile does not count them.
        ("not started at half load", subject.missedAtHalfLoad.map { Double($0) }, 0),
      ]
      return limits.compactMap { (name, value, limit) in
        guard let value else { return nil }
        return padded("\(subject.name) \(subject.accountCount): \(name)", 60)
          + padded(decimals(value, 2), 12, right: true)
          + "  goal ≤ \(decimals(limit, 0)): \(value <= limit ? "met" : "NOT MET")"
      }
    }
  }

  /// An array with an object for each database. What was not counted is left out.
  var json: String {
    let objects = columns.map { (subject, counts) in
      let members = Self.rows.compactMap { (row) in
        row.value(subject, counts).map { "\"\(row.key)\": \(decimals($0, 4))" }
      }
      return #"{"store": "\#(subject.name)", "accounts": \#(subject.accountCount), "#
        + members.joined(separator: ", ") + "}"
    }
    return "[\n    \(objects.joined(separator: ",\n    "))\n  ]"
  }
}
