// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The processes of a PostgreSQL server on this machine, which only the benchmark uses.
struct PostgreSQLProcesses {
  /// The server has no readable process.
  struct Unknown: Error {}

  private let url: String
  /// The first process, which starts the others.
  private let postmaster: pid_t

  init(url: String) throws {
    self.url = url
    let text = try Self.run("SELECT pg_read_file('postmaster.pid')", url)
    guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else { throw Unknown() }
    postmaster = process
  }

  /// Runs SQL with `psql` and returns its output.
  @discardableResult
  func run(_ statement: String) throws -> String { try Self.run(statement, url) }

  private static func run(_ statement: String, _ url: String) throws -> String {
    try ShellCommand.output(
      "PGOPTIONS='-c client_min_messages=error' psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "
        + "--command \(ShellCommand.quoted(statement)) \(ShellCommand.quoted(url))")
  }

  /// All processes.
  var identifiers: [pid_t] {
    get throws { try [postmaster] + ProcessReading.children(of: postmaster) }
  }

  /// The CPU time of all processes, including ended ones, in seconds.
  var processorTime: Double {
    get throws {
      // A process that ends meanwhile is counted by its parent the next time.
      try ProcessReading.processorTimeOfEndedChildren(of: postmaster)
        + ([postmaster] + ProcessReading.children(of: postmaster)).reduce(0) { (sum, process) in
          sum + ((try? ProcessReading.processorTime(of: process)) ?? 0)
        }
    }
  }

  var contextSwitches: Double {
    get throws {
      try identifiers.reduce(0) { (sum, process) in sum + ((try? ProcessReading.contextSwitches(of: process)) ?? 0) }
    }
  }

  /// Does the work of autovacuum and of a checkpoint now, so that less of it runs beside the next measurement.
  ///
  /// The tables keep their pages: a statement that is planned for an emptied table reads it as a whole, also when it has
  /// filled again.
  func settle() throws {
    try run("VACUUM (ANALYZE, TRUNCATE false)")
    try run("CHECKPOINT")
  }

  /// The number of executed statements; nil if the server does not count them.
  var statementCount: Double? {
    // The extension counts only if the server has loaded its library.
    Double((try? run("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements")) ?? "")
  }

  /// Starts or stops counting statements. Does nothing if the server has not loaded the extension's library.
  func countStatements(_ counts: Bool) {
    _ = try? run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    _ = try? run("ALTER SYSTEM SET pg_stat_statements.track = '\(counts ? "top" : "none")'")
    _ = try? run("SELECT pg_reload_conf()")
  }
}
