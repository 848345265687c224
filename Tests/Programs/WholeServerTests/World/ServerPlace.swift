// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport

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
    self.options = options + tls + Self.commonOptions
  }

  /// Creates the place of another machine with the same database and a copy of the secret.
  init(besides other: ServerPlace) throws {
    folder = try TemporaryFolder()
    (database, options) = (other.database, Self.commonOptions)
    let secret = try File.bytes("\(other.folder.path)/passkey.secret")
    try File.write(secret, to: "\(folder.path)/passkey.secret", isPrivate: true)
  }

  /// Creates the place of a server beside this one, with a copy of its SQLite database and of the secret.
  init(besides other: ServerPlace, copying database: String) throws {
    folder = try TemporaryFolder()
    self.database = "\(folder.path)/passkey.sqlite"
    options = Self.commonOptions
    for (name, copy) in [(database, "passkey.sqlite"), ("passkey.secret", "passkey.secret")] {
      try File.write(File.bytes("\(other.folder.path)/\(name)"), to: "\(folder.path)/\(copy)", isPrivate: true)
    }
  }

  private static let commonOptions = [
    "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--ceremonies-per-minute", "1000000",
    "--ceremonies-per-account", "1000000",
  ]

  var arguments: [String] { storeArguments + options }

  private var storeArguments: [String] { ["--database", database, "--secret", "\(folder.path)/passkey.secret"] }

  /// Returns the output of a command of the program.
  func run(_ command: String...) async throws -> String { try await run(command) }

  private func run(_ command: [String]) async throws -> String {
    let words = ["passkey-server"] + command + storeArguments
    return try await waiting { [path = folder.path] in try Shell.run(words.joined(separator: " "), in: path) }
  }

  /// The size of the SQLite database with its log; 0 for PostgreSQL.
  var databaseByteCount: Int {
    get throws {
      guard database.hasPrefix("/") else { return 0 }
      return try [database, database + "-wal"].reduce(0) { (sum, path) in sum + (try File.bytes(path).count) }
    }
  }

  /// Returns the lines that the most recent server has logged.
  func output() throws -> [Substring] {
    String(decoding: try File.bytes("\(folder.path)/told"), as: UTF8.self).split(separator: "\n")
  }

  /// Verifies the audit trail.
  func verifyAudit() async throws {
    let printed = try await run("audit", "verify")
    guard !printed.contains("error"), !printed.hasSuffix("]\n") else { throw BrokenTrail(printed: printed) }
  }

  struct BrokenTrail: Error {
    let printed: String
  }

  /// Returns every record of the audit trail.
  func trail() async throws -> [AuditLine] {
    var lines: [AuditLine] = []
    while true {
      // The numbers of a log have gaps.
      let page = try await run("audit", "show", "--json", "--limit", "20000", "--after", "\(lines.last?.number ?? 0)")
      let records = page.split(separator: "\n").filter { !$0.contains(" more: --after ") }
      let new = try records.map { (line) in try AuditLine(JSON.parse(Array(line.utf8)[...])) }
      if new.isEmpty { return lines }
      lines += new
    }
  }
}

extension ServerPlace {
  /// Returns the notices in the outbox.
  func outbox(_ options: String...) async throws -> [OutboxLine] {
    let printed = try await run(["outbox", "list", "--json", "--limit", "100000"] + options)
    return try printed.split(separator: "\n").filter { $0.hasPrefix("{") }.map { (line) in try OutboxLine(String(line))
    }
  }

  /// Waits until the outbox fulfills a condition, and returns its notices then.
  func outbox(until condition: ([OutboxLine]) -> Bool) async throws -> [OutboxLine] {
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while true {
      let lines = try await outbox()
      if condition(lines) || ContinuousClock.now > limit { return lines }
      // Another process changes the outbox, and nothing tells when.
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}

/// The fields of a notice in the outbox that the tests use.
struct OutboxLine: Hashable, Sendable {
  let id: String
  let event: String
  let account: String?
  let destination: String
  let state: String
  let failures: Int
  let reason: String?

  init(_ line: String) throws {
    let json = try JSON.parse(line)
    id = try json.require("id").string
    event = try json.require("event").string
    account = try json["account"]?.unlessNull?.string
    destination = try json.require("destination").string
    state = try json.require("state").string
    failures = try json.require("failures").integer(Int.self)
    reason = try json["reason"]?.unlessNull?.string
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
  let number: Int
  let event: String
  let request: String
  let hasSucceeded: Bool
  let account: String?
  /// The kind and the ID of its object.
  let subject: (kind: String, id: String)?

  init(_ json: JSONValue) throws {
    number = try json.require("number").integer(Int.self)
    event = try json.require("event").string
    // A request ID from the trusted proxy is marked: given.NAME.SUFFIX.
    let id = try json.require("requestId").string
    let given = id.hasPrefix("given.") ? id.dropFirst("given.".count).split(separator: ".").dropLast() : [id[...]]
    request = given.joined(separator: ".")
    hasSucceeded = try json.require("outcome").string == "ok"
    account = try json["account"]?.string
    let parts = try json["subject"]?.string.split(separator: ":", maxSplits: 1).map(String.init) ?? []
    subject = parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}
