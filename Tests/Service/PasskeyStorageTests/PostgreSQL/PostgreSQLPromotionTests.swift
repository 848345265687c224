// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// The server is lost permanently, and its standby is promoted.
  @Suite(.tags(.kill, .alone)) struct PromotionTests {
    @Test func `a promoted standby is found and has all acknowledged writes`() async throws {
      try await PostgreSQLServer.control("standby")
      do {
        try await losePrimary()
      } catch {
        try await PostgreSQLServer.control("unstandby")
        throw error
      }
      try await PostgreSQLServer.control("unstandby")
    }

    private func losePrimary() async throws {
      let (first, second) = (try #require(PostgreSQLServer.url), try PostgreSQLServer.standbyURL())
      let hosts = try #require(second.split(separator: "@").last?.split(separator: "/").first)
      // postgres://user@one,other/name: libpq tries the hosts in turn.
      let url = first.replacing("/postgres", with: ",\(hosts)/postgres")
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLServer.configuration(url: url, reconnectTimeout: .milliseconds(500)))
      let person = try SampleUser()
      try await person.register(with: storage)
      let opened = Locked<[TokenDigest]>([])
      let writers = Task {
        await withTaskGroup { (group) in
          for _ in 0..<4 {
            group.addTask {
              while !Task.isCancelled, let signIn = try? person.signIn() {
                guard case .opened? = try? await storage.signIn(signIn) else { continue }
                opened.withLock { $0.append(signIn.opening.token) }
              }
            }
          }
        }
      }
      #expect(await HangGuard.waits { () async -> Bool in opened.withLock { $0.count > 10 } })
      try await PostgreSQLServer.control("stop", "immediate")
      try await PostgreSQLServer.control("promote")
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while (try? await person.signInAgain(storage)) == nil, ContinuousClock.now < limit {}
      try await person.signInAgain(storage)
      writers.cancel()
      await writers.value
      for token in opened.withLock({ $0 }) {
        #expect(try await storage.session(token: token)?.account == person.account)
      }
      _ = try await DatabaseChecks.verifiedRequests(storage)
      await storage.close()
    }
  }
}
