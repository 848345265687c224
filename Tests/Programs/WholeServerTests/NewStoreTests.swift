// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// The transparency log of a new store, begun by several programs at once.
@Suite(.tags(.postgres)) struct NewStoreTests {
  /// The number and the size of the log in the output of `audit verify --json`.
  private static func log(_ place: ServerPlace) async throws -> (origin: String, size: Int, waiting: Int) {
    let printed = try await place.run("audit", "verify", "--json")
    let object = try JSON.parse(printed)
    return (
      try object.require("origin").string, try object.require("size").integer(Int.self),
      try object.require("waiting").integer(Int.self)
    )
  }

  private static func hasKey(_ place: ServerPlace) async throws -> Bool {
    // Fails if the file has another key, and prints it if there is no file.
    let printed = try await place.run("audit", "key")
    return try printed.contains("/audit/") && !printed.contains("[7]")
      && File.names(in: place.folder.path).contains("passkey.secret.audit-key")
  }

  @Test func `programs in one folder that claim a new store at once share its key`() async throws {
    for kind in DatabaseKind.all {
      let place = try await ServerPlace(kind)
      let secret = try RandomSource.system.bytes(32)
      try File.write(secret, to: "\(place.folder.path)/passkey.secret", isPrivate: true)
      try await withThrowingTaskGroup(of: String.self) { (group) in
        for _ in 0..<4 { group.addTask { try await place.run("init") } }
        for try await printed in group { #expect(!printed.contains("error"), "\(kind): \(printed)") }
      }
      #expect(try await Self.hasKey(place))
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
  func `of machines that claim a new store at once, one signs its log, and all serve`() async throws {
    let first = try await ServerPlace(.postgreSQL)
    let secret = try RandomSource.system.bytes(32)
    try File.write(secret, to: "\(first.folder.path)/passkey.secret", isPrivate: true)
    let places = [first, try ServerPlace(besides: first), try ServerPlace(besides: first)]
    let servers = try await withThrowingTaskGroup(of: (Int, ServerProcess).self) { (group) in
      for (index, place) in places.enumerated() { group.addTask { (index, try await ServerProcess.start(place)) } }
      var started: [Int: ServerProcess] = [:]
      for try await (index, server) in group { started[index] = server }
      return started
    }
    var signers: [Int] = []
    for (index, place) in places.enumerated() where try await Self.hasKey(place) { signers.append(index) }
    try #require(signers.count == 1)
    // On the other machines the verification fails, because their keys differ.
    let signer = places[signers[0]]
    let origin = try await Self.log(signer).origin
    for server in servers.values { try await Client(at: server.port, Ledger()).signUp() }
    // The signer places the records of all servers.
    #expect(try await HangGuard.waits { () async throws -> Bool in try await Self.log(signer).waiting == 0 })
    let log = try await Self.log(signer)
    #expect(log.origin == origin && log.size > 3)
    for (index, place) in places.enumerated() where !signers.contains(index) {
      #expect(
        try await HangGuard.waits { () async throws -> Bool in
          try place.output().contains { $0.contains("does not sign") }
        })
    }
    #expect(try !signer.output().contains { $0.contains("does not sign") })
    for server in servers.values { #expect(try await server.stop() == 0) }
    // With the key of the signer, another machine signs.
    let other = places[(signers[0] + 1) % 3]
    try File.write(
      File.bytes("\(signer.folder.path)/passkey.secret.audit-key"), to: "\(other.folder.path)/passkey.secret.audit-key",
      isPrivate: true)
    _ = try Shell.run("chmod 600 passkey.secret.audit-key", in: other.folder.path)
    let server = try await ServerProcess.start(other)
    try await Client(at: server.port, Ledger()).signUp()
    #expect(try await server.stop() == 0)
    let later = try await Self.log(other)
    #expect(later.origin == origin && later.size > log.size && later.waiting == 0)
  }
}
