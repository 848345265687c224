// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import SystemCrypto
import TestSupport
import WireFormats

/// Where a server has its data, over all the times that it is started.
final class ServerPlace: Sendable {
  let folder: TemporaryFolder
  private let database: String
  private let options: [String]

  /// A place with a database of its own, and settings besides. The server trusts this machine as a proxy, so that
  /// connections from it are not counted together and a request is named by the id that it comes with.
  init(_ kind: DatabaseKind, _ options: [String] = []) async throws {
    folder = try TemporaryFolder()
    switch kind {
    case .sqlite(let folder): database = "\(folder ?? self.folder.path)/passkey.sqlite"
    case .postgreSQL: database = try await PostgreSQLControl.freshDatabase()
    }
    self.options =
      options + [
        "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--ceremonies-per-minute", "1000000",
        "--ceremonies-per-account", "1000000",
      ]
  }

  var arguments: [String] { storeArguments + options }

  private var storeArguments: [String] { ["--database", database, "--secret", "\(folder.path)/passkey.secret"] }

  /// What a command of the program prints.
  func run(_ command: String...) async throws -> String {
    let words = ["passkey-server"] + command + storeArguments
    return try await waiting { [path = folder.path] in try Shell.run(words.joined(separator: " "), in: path) }
  }

  /// What the server that was started last has said, by lines.
  func told() throws -> [Substring] {
    String(decoding: try File.bytes("\(folder.path)/told"), as: UTF8.self).split(separator: "\n")
  }

  /// Demands that the audit trail's chain is whole.
  func verifyAudit() async throws {
    let printed = try await run("audit", "verify")
    guard !printed.contains("error"), !printed.hasSuffix("]\n") else { throw BrokenChain(printed: printed) }
  }

  struct BrokenChain: Error {
    let printed: String
  }

  /// Every record of the audit trail.
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

/// What keeps a server's data.
enum DatabaseKind: Sendable, CustomStringConvertible {
  /// A file, in a folder of its own or this one.
  case sqlite(in: String? = nil)
  case postgreSQL

  var description: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgreSQL: "PostgreSQL"
    }
  }

  /// Those that there are here.
  static let all: [DatabaseKind] = PostgreSQLControl.isPresent ? [.sqlite(), .postgreSQL] : [.sqlite()]
}

/// What the tests read of an audit record.
struct AuditLine: Sendable {
  let event: String
  let request: String
  let hasSucceeded: Bool

  init(_ json: JSONValue) throws {
    event = try json.require("event").string
    // A name that came through the trusted proxy is marked: given.NAME.SUFFIX.
    let id = try json.require("requestId").string
    let given = id.hasPrefix("given.") ? id.dropFirst("given.".count).split(separator: ".").dropLast() : [id[...]]
    request = given.joined(separator: ".")
    hasSucceeded = try json.require("outcome").string == "ok"
  }
}
