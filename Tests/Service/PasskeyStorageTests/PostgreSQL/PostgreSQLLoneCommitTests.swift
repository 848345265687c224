// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Commits that wait for a standby which does not answer.
  @Suite(.tags(.alone)) struct LoneCommitTests {
    private static func wait(for standbys: String) async throws {
      try await PostgreSQLServer.run("ALTER SYSTEM SET synchronous_standby_names = '\(standbys)'")
      try await PostgreSQLServer.run("SELECT pg_reload_conf()")
    }

    /// After the statement time-out the server reports success, although only it has the commit.
    @Test func `a commit that no standby has confirmed is not acknowledged`() async throws {
      var configuration = try PostgreSQLServer.configuration()
      configuration.statementTimeout = .seconds(1)
      let storage = try await PostgreSQLStorage.open(configuration)
      let person = try SampleUser()
      try await person.register(with: storage)
      do {
        try await Self.wait(for: "absent")
        // The reload takes effect a moment later.
        var error: StorageError?
        for _ in 0..<100 where error == nil {
          do throws(StorageError) {
            try await storage.database.check()
          } catch let failure {
            error = failure
          }
        }
        #expect(error?.code == .outcomeUnknown)
        await #expect(throws: (any Error).self) { try await person.signInAgain(storage) }
      } catch {
        try await Self.wait(for: "")
        throw error
      }
      try await Self.wait(for: "")
      var isBack = false
      for _ in 0..<100 where !isBack { isBack = (try? await storage.database.check()) != nil }
      #expect(isBack)
      try await person.signInAgain(storage)
      await storage.close()
    }
  }
}
