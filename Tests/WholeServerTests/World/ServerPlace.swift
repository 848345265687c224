// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import SystemCrypto
import TestSupport
import WireFormats

/// The data folder and database of a server, kept across restarts.
final class ServerPlace: Sendable {
  let folder: TemporaryFolder
  private let database: String
  private let options: [String]

  /// Creates a place with its own database and further options. The server trusts this machine as a proxy, so that
  /// connections are not limited together and requests keep their IDs. With `overTLS`, it serves with `server.crt` and
  /// `server.key` of the folder.
  init(_ kind: DatabaseKind, _ options: [String] = [], overTLS: Bool = false) async throws {
    folder = try TemporaryFolder()
    let tls =
      overTLS ? ["--tls-certificate", "\(folder.path)/server.crt", "--tls-key", "\(folder.path)/server.key"] : []
    switch kind {
    case .sqlite(let folder): database = "\(folder ?? self.folder.path)/passkey.sqlite"
    case .postgreSQL: database = try await PostgreSQLControl.freshDatabase()
    }
    self.options =
      options + tls + [
        "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--ceremonies-per-minute", "1000000",
        "--ceremonies-per-account", "1000000",
      ]
  }

  var arguments: [String] { storeArguments + options }

  private var storeArguments: [String] { ["--database", database, "--secret", "\(folder.path)/passkey.secret"] }

  /// Returns the output of a command of the program.
  func run(_ command: String...) async throws -> String {
    let words = ["passkey-server"] + command + storeArguments
    return try await waiting { [path = folder.path] in try Shell.run(words.joined(separator: " "), in: path) }
  }

  /// Returns the lines that the most recent server has logged.
  func output() throws -> [Substring] {
    String(decoding: try File.bytes("\(folder.path)/told"), as: UTF8.self).split(separator: "\n")
  }

  /// Verifies the audit chain.
  func verifyAudit() async throws {
    let printed = try await run("audit", "verify")
    guard !printed.contains("error"), !printed.hasSuffix("]\n") else { throw BrokenChain(printed: printed) }
  }

  struct BrokenChain: Error {
    let printed: String
  }

  /// Returns every record of the audit trail.
  func trail() async throws -> [AuditLine] {
    var lines: [AuditLine] = []
    while true {
      let page = try await run("audit", "show", "--json", "--limit", "20000", "--after", "\(lines.count)")
      let records = page.split(separator: "\n").filter { !$0.contains(" more: --after ") }
      let new = try records.map { (line) in try AuditLine(JSON.parse(Array(line.utf8)[...])) }
      if new.isEmpty { return lines }
      lines += new
    }
  }
}

/// The kind of database.
enum DatabaseKind: Sendable, CustomStringConvertible {
  /// A file, in its own folder or in the given one.
  case sqlite(in: String? = nil)
  case postgreSQL

  var description: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgreSQL: "PostgreSQL"
    }
  }

  /// The kinds that are available on this machine.
  static let all: [DatabaseKind] = PostgreSQLControl.isPresent ? [.sqlite(), .postgreSQL] : [.sqlite()]
}

/// The fields of an audit record that the tests use.
struct AuditLine: Sendable {
  let event: String
  let request: String
  let hasSucceeded: Bool

  init(_ json: JSONValue) throws {
    event = try json.require("event").string
    // A request ID from the trusted proxy is marked: given.NAME.SUFFIX.
    let id = try json.require("requestId").string
    let given = id.hasPrefix("given.") ? id.dropFirst("given.".count).split(separator: ".").dropLast() : [id[...]]
    request = given.joined(separator: ".")
    hasSucceeded = try json.require("outcome").string == "ok"
  }
}
