// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// A server whose database is an older copy, or a copy beside the original.
struct RestoredServerTests {
  @Test func `a restored or copied database accepts no response again`() async throws {
    let place = try await ServerPlace(.sqlite(in: nil))
    var server = try await ServerProcess.start(place)
    let client = try Client(at: server.port, Ledger())
    try await client.signUp()
    let response = try await client.signedIn()
    _ = try await place.run("backup", "copy.sqlite")
    func status(at port: UInt16) async throws -> (Int, String?) {
      let answer = try await Line(to: port).ask("POST", "/api/auth/login/verify", response)
      return (answer.status, answer.code)
    }
    #expect(try await status(at: server.port).0 == 200)

    // A copy with the same secret, beside the original.
    let beside = try ServerPlace(besides: place, copying: "copy.sqlite")
    let other = try await ServerProcess.start(beside)
    #expect(try await status(at: other.port) == (410, "sign-in.ceremony-unknown"))
    #expect(try await other.stop() == 0)

    // The copy in place of the original, as Operation.md describes it.
    #expect(try await server.stop() == 0)
    _ = try Shell.run("rm -f passkey.sqlite*; cp copy.sqlite passkey.sqlite", in: place.folder.path)
    #expect(try await place.run("audit", "begin", "--after-restore").contains("follows epoch 1"))
    server = try await ServerProcess.start(place)
    #expect(try await status(at: server.port) == (410, "sign-in.ceremony-unknown"))
    _ = try await Client(client, at: server.port).signIn()
    #expect(try await server.stop() == 0)
  }
}
