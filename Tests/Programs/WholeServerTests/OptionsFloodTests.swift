// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// A flood of options from many networks stores nothing and ends no sign-in of another client.
@Suite(.tags(.postgres)) struct OptionsFloodTests {
  /// The number of networks, each of which begins a sign-in and a sign-up.
  private static let networkCount = Tier.choose(change: 2_000, merge: 10_000, night: 60_000)

  @Test(arguments: DatabaseKind.all)
  func `a flood of options leaves the store and the sign-ins of others as they were`(
    _ database: DatabaseKind
  ) async throws {
    let place = try await ServerPlace(database)
    let server = try await ServerProcess.start(place)
    let ledger = Ledger()
    var waiting: [String] = []
    for _ in 0..<64 {
      let client = try Client(at: server.port, ledger)
      try await client.signUp()
      waiting.append(try await client.signedIn())
    }
    let (size, memory) = (try place.databaseByteCount, try server.residentKilobytes)
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for part in 0..<4 {
        group.addTask {
          let line = Line(to: server.port)
          for network in stride(from: part, to: Self.networkCount, by: 4) {
            let address = "2001:\(String(network / 65_536 + 1, radix: 16)):\(String(network % 65_536, radix: 16))::1"
            for path in ["login", "register"] {
              let answer = try await line.ask(
                "POST", "/api/auth/\(path)/options", #"{"email":"stranger\#(network)@example.org"}"#,
                fields: [("X-Forwarded-For", address)])
              #expect(answer.status == 200, "\(answer.body)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // Less than a ceremony with its row would have taken; the audit log gets the records of the sign-ups meanwhile.
    #expect(try place.databaseByteCount - size < 2 * Self.networkCount * 100)
    // 48 MiB  [budgets of all networks, and of the allocator]
    #expect(try server.residentKilobytes - memory < 48 * 1_024)
    // The server may have closed their idle connections meanwhile.
    for response in waiting {
      let answer = try await Line(to: server.port).ask("POST", "/api/auth/login/verify", response)
      #expect(answer.status == 200, "\(answer.body)")
    }
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }
}
