// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The owner of an account signs in with the command line while attackers at ten addresses flood the account. One of
/// the addresses is the owner's own.
struct KnownClientFloodTests {
  private struct Flood {
    var refused = 0
    var asked = 0
    var isOver = false
  }

  private static func run(_ flood: Locked<Flood>, _ path: String, _ body: String, port: UInt16, source: UInt8) throws {
    let request =
      "POST \(path) HTTP/1.1\r\nHost: h\r\nOrigin: https://raxx.app\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    while flood.withLock({ !$0.isOver }) {
      let client = try RawClient(port: port, source: source)
      for _ in 0..<100 where flood.withLock({ !$0.isOver }) {
        client.send(request)
        guard let answer = client.answer() else { break }
        flood.withLock {
          $0.asked += 1
          if answer.status == 429 { $0.refused += 1 }
        }
      }
    }
  }

  @Test(arguments: [
    ("raxx", "/api/auth/login/options", "email"), ("yapt", "/api/auth/login/generate-options", "username"),
  ])
  func `a flood does not slow a known client`(
    profile: String, path: String, member: String
  ) async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log --profile \(profile)", in: folder.path,
      ready: "serving raxx.app at")
    let port = try #require(UInt16(server.port))
    func run(_ command: String, state: String = "state") async throws -> String {
      let settings =
        "export PASSKEY_SERVER=http://127.0.0.1:\(port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_PROFILE=\(profile) "
        + "PASSKEY_VAULT=vault PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME=\"$PWD/\(state)\"; "
      return try await waiting { [path = folder.path] in try Shell.run(settings + command, in: path) }
    }
    defer { withExtendedLifetime(server) {} }
    _ = try await run("passkey register --user ada@raxx.app --yes --vault-cost test && passkey sign-out")
    let flood = Locked(Flood())
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      defer { flood.withLock { $0.isOver = true } }
      for source in UInt8(1)...10 {
        group.addTask {
          try await waiting {
            try Self.run(flood, path, #"{"\#(member)":"ada@raxx.app"}"#, port: port, source: source)
          }
        }
      }
      // The client's own budget is twenty ceremonies.
      for round in 1...Tier.choose(change: 2, merge: 6, night: 6) {
        // The flood has used up the budgets of its addresses, and goes on.
        #expect(await HangGuard.waits { () async in flood.withLock { $0.refused > 200 * round } })
        // Yapt has no sign-in without a name.
        let user = round.isMultiple(of: 2) || profile == "yapt" ? " --user ada@raxx.app" : ""
        let printed = try await run("passkey sign-in --yes\(user) && passkey sign-out")
        #expect(printed.contains("user     ada@raxx.app\n") && !printed.contains("error"), "\(printed)")
        let stranger = try await run("passkey sign-in --yes --user ada@raxx.app", state: "other")
        #expect(stranger.contains("http.too-many-requests"), "\(stranger)")
      }
      flood.withLock { $0.isOver = true }
      try await group.waitForAll()
    }
    #expect(flood.withLock { $0.asked > $0.refused })
  }
}
