// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import TestSupport
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
      let writers = Task {
        await withTaskGroup(of: [TokenDigest].self) { (group) in
          for _ in 0..<4 {
            group.addTask {
              var opened: [TokenDigest] = []
              while !Task.isCancelled, let signIn = try? person.signIn() {
                if case .opened? = try? await storage.signIn(signIn) { opened.append(signIn.opening.token) }
              }
              return opened
            }
          }
          return await group.reduce(into: []) { (all, opened) in all += opened }
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      try await PostgreSQLServer.control("stop", "immediate")
      try await PostgreSQLServer.control("promote")
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while (try? await person.signInAgain(storage)) == nil, ContinuousClock.now < limit {}
      try await person.signInAgain(storage)
      writers.cancel()
      let opened = await writers.value
      #expect(opened.count > 10)
      for token in opened { #expect(try await storage.session(token: token)?.account == person.account) }
      _ = try await DatabaseChecks.verifiedRequests(storage)
      await storage.close()
    }
  }
}
