// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// The transparency log of a new store, begun by several programs at once.
@Suite(.tags(.postgres)) struct NewStoreTests {
  /// The origin and the size of the log in the output of `audit verify --json`.
  private static func log(_ place: ServerPlace) async throws -> (origin: String, size: Int, waiting: Int) {
    let printed = try await place.run("audit", "verify", "--json")
    let object = try JSON.parse(printed)
    return (
      try object.require("origin").string, try object.require("size").integer(Int.self),
      try object.require("waiting").integer(Int.self)
    )
  }

  @Test func `of programs that claim a new store at once, one begins its log`() async throws {
    for kind in DatabaseKind.all {
      let place = try await ServerPlace(kind)
      let secret = try RandomSource.system.bytes(32)
      try File.write(secret, to: "\(place.folder.path)/passkey.secret", isPrivate: true)
      try await withThrowingTaskGroup(of: String.self) { (group) in
        for _ in 0..<4 { group.addTask { try await place.run("init") } }
        for try await printed in group { #expect(!printed.contains("error"), "\(kind): \(printed)") }
      }
      #expect(try await Self.log(place).size == 1)
      let server = try await ServerProcess.start(place)
      try await Client(at: server.port, Ledger()).signUp()
      #expect(try await server.stop() == 0)
      let log = try await Self.log(place)
      #expect(log.size > 1 && log.waiting == 0)
      try await place.verifyAudit()
    }
  }

  @Test(.enabled(if: PostgreSQLControl.isPresent, "no PostgreSQL: Scripts/lib/with-postgresql starts one"))
  func `machines that claim a new store at once share its log, and each signs it`() async throws {
    let first = try await ServerPlace(.postgreSQL)
    let secret = try RandomSource.system.bytes(32)
    try File.write(secret, to: "\(first.folder.path)/passkey.secret", isPrivate: true)
    let places = [first, try ServerPlace(besides: first), try ServerPlace(besides: first)]
    let servers = try await withThrowingTaskGroup(of: ServerProcess.self) { (group) in
      for place in places { group.addTask { try await ServerProcess.start(place) } }
      return try await group.reduce(into: []) { (servers, server) in servers.append(server) }
    }
    for server in servers { try await Client(at: server.port, Ledger()).signUp() }
    for server in servers { #expect(try await server.stop() == 0) }
    let log = try await Self.log(first)
    #expect(log.size > 3 && log.waiting == 0)
    // Each of them signs alone.
    var size = log.size
    for place in places {
      let server = try await ServerProcess.start(place)
      try await Client(at: server.port, Ledger()).signUp()
      #expect(try await server.stop() == 0)
      let later = try await Self.log(place)
      #expect(later.origin == log.origin && later.size > size && later.waiting == 0)
      size = later.size
    }
  }
}
