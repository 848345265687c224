// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Passkeys
import Testing
import WebAuthnAuthenticator
import WebAuthnClient

/// Compares the article "A server with your own accounts" with the example `OwnAccounts`, and runs the example.
struct OwnAccountsTests {
  @Test func `the article shows the example`() throws {
    let article = "\(projectFolder)/Sources/Service/Passkeys/Passkeys.docc/AServerWithYourOwnAccounts.md"
    let example = try ShownCode.lines(of: "\(projectFolder)/Examples/OwnAccounts/main.swift")
    #expect(
      try ShownCode.blocks(inDocument: article).last
        == example.drop { $0.isEmpty || $0.hasPrefix("// SPDX") }.dropLast().joined(separator: "\n"))
  }

  @Test func `the example registers a passkey and signs in with it once`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess("exec stdbuf -oL OwnAccounts 0", in: folder.path, ready: "listening at")
    defer { withExtendedLifetime(server) {} }
    let page = try Page(port: #require(UInt16(server.port)))
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault, random: .system).enroll(finger: 0)
    let browser = Client(
      origin: try WebOrigin("http://localhost:8080"),
      authenticator: try SoftwareAuthenticator(
        vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StoppedClock()),
      interaction: FirstPasskey())

    let creation = try await page.post("/register/options", #"{"name":"Ada"}"#)
    let created = try await browser.create(CreationOptions(json: creation.body))
    let wrongBrowser = try await page.post("/register/verify", created.jsonText)
    #expect(wrongBrowser.status == 401)

    let again = try await page.post("/register/options", #"{"name":"Ada"}"#)
    let ada = try await browser.create(CreationOptions(json: again.body))
    #expect(try await page.post("/register/verify", ada.jsonText, cookie: again.cookie).status == 204)

    let request = try await page.post("/login/options", "{}")
    let response = try await browser.get(RequestOptions(json: request.body)).jsonText
    let signedIn = try await page.post("/login/verify", response, cookie: request.cookie)
    #expect(signedIn.status == 200)
    #expect(signedIn.body.contains(try CreationOptions(json: again.body).user.id.description))
    #expect(try await page.post("/login/verify", response, cookie: request.cookie).status == 401)
  }
}

/// A page that posts JSON to the example.
private struct Page {
  struct Unanswered: Error {}

  let port: UInt16

  func post(
    _ path: String, _ body: String, cookie: String = ""
  ) async throws -> (status: Int, body: String, cookie: String) {
    let answer = try await waiting { [port] in
      let client = try RawClient(port: port)
      client.send(
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: \(cookie)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      return client.answer().map { (status: $0.status, body: $0.body, cookie: $0.header("set-cookie") ?? "") }
    }
    guard let answer else { throw Unanswered() }
    return (answer.status, answer.body, String(answer.cookie.prefix { $0 != ";" }))
  }
}

/// A stopped clock.
private struct StoppedClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}

/// A user who chooses the first passkey and has no PIN.
private struct FirstPasskey: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { 0 }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}
