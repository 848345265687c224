// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceTestSupport
import SystemCrypto
import TestSupport
import Testing

/// The owner of an account signs in with the command line while attackers at ten addresses flood the account. One of
/// the addresses is the owner's own.
struct KnownClientFloodTests {
  // PASSKEY_FLOOD_SECONDS=60 runs the test for longer.
  private static let seconds = unsafe getenv("PASSKEY_FLOOD_SECONDS").flatMap { unsafe Int(String(cString: $0)) } ?? 3

  private static func flood(
    _ path: String, _ body: String, port: UInt16, source: UInt8, until end: ContinuousClock.Instant
  ) throws -> (refused: Int, asked: Int) {
    let request =
      "POST \(path) HTTP/1.1\r\nHost: h\r\nOrigin: https://raxx.app\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    var (refused, asked) = (0, 0)
    while ContinuousClock.now < end {
      let client = try RawClient(port: port, source: source)
      for _ in 0..<100 where ContinuousClock.now < end {
        client.send(request)
        guard let answer = client.answer() else { break }
        asked += 1
        if answer.status == 429 { refused += 1 }
      }
    }
    return (refused, asked)
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
    let end = ContinuousClock.now + .seconds(Self.seconds)
    let flood = try await withThrowingTaskGroup(of: (refused: Int, asked: Int).self) { (group) in
      for source in UInt8(1)...10 {
        group.addTask {
          try await waiting {
            try Self.flood(path, #"{"\#(member)":"ada@raxx.app"}"#, port: port, source: source, until: end)
          }
        }
      }
      // The flood first uses up the address's budget of 60 requests.
      try await Task.sleep(for: .seconds(1))
      var rounds = 0
      repeat {
        // Yapt has no sign-in without a name.
        let user = rounds.isMultiple(of: 2) || profile == "yapt" ? " --user ada@raxx.app" : ""
        let printed = try await run("passkey sign-in --yes\(user) && passkey sign-out")
        #expect(printed.contains("user     ada@raxx.app\n") && !printed.contains("error"), "\(printed)")
        let stranger = try await run("passkey sign-in --yes --user ada@raxx.app", state: "other")
        #expect(stranger.contains("http.too-many-requests"), "\(stranger)")
        rounds += 1
        // The client's own budget is twenty ceremonies, then one every three seconds.
        try await Task.sleep(for: .seconds(4))
      } while ContinuousClock.now < end
      return try await group.reduce(into: (refused: 0, asked: 0)) { (sum, part) in
        sum = (sum.refused + part.refused, sum.asked + part.asked)
      }
    }
    #expect(flood.refused > 0 && flood.asked > flood.refused)
  }
}
