// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ServerSessionTests {
  private func session(_ text: String) throws(ClientError) -> ServerSession {
    try ServerSession(json: Array(text.utf8)[...])
  }

  @Test func `A session survives a round trip`() throws {
    let full = ServerSession(
      server: try ServerAddress("https://api.raxx.app"), profile: "raxx", user: "ada@example.org",
      expiry: UnixTime(secondsSince1970: 1_800_000_900), renewalExpiry: UnixTime(secondsSince1970: 1_800_086_400),
      signedIn: UnixTime(secondsSince1970: 1_800_000_000),
      token: SecretBytes(utf8: "a"), refreshToken: SecretBytes(utf8: "b"),
      cookies: try #require(CookieJar(lines: ["raxx.app\tFALSE\t/\tTRUE\t0\tsid\tx=y"])))
    #expect(try ServerSession(json: full.json[...]) == full)
    let bare = try session(#"{"version":1,"server":"http://localhost:8080","profile":"x","newer":1,"token":null}"#)
    #expect(bare.token == nil && bare.user == nil && bare.expiry == nil && !bare.isRenewable && bare.cookies.isEmpty)
    #expect(try ServerSession(json: bare.json[...]) == bare)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"version":2,"server":"https://raxx.app","profile":"raxx"}"#,
    #"{"version":1,"server":"https://raxx.app"}"#, #"{"version":1,"server":"https://raxx.app","profile":1}"#,
    #"{"version":1,"server":"https://raxx.app","profile":"raxx","token":1}"#,
    #"{"version":1,"server":"https://raxx.app","profile":"raxx","cookies":["x"]}"#,
    #"{"version":1,"server":"https://raxx.app","profile":"raxx","cookies":["a\tb\tc\td\te\t\tg"]}"#,
    #"{"version":1,"server":"https://raxx.app","profile":"raxx","cookies":["a\tb\tc\td\te\tf\tg\nh"]}"#,
    #"{"version":1,"server":"https://raxx.app","profile":"raxx","cookies":"x"}"#,
  ])
  func `A malformed session is refused`(_ text: String) {
    let error = #expect(throws: ClientError.self) { try session(text) }
    #expect(error?.code == .sessionInvalid)
  }

  @Test func `A session for an unencrypted server is refused`() {
    let error = #expect(throws: ClientError.self) {
      try session(#"{"version":1,"server":"http://raxx.app","profile":"raxx"}"#)
    }
    #expect(error?.code == .addressUnencrypted)
  }

  @Test func `The remaining time is computed without overflow`() throws {
    func left(_ expiry: Int64, _ now: Int64) throws -> Int64? {
      let session = try session(#"{"version":1,"server":"https://raxx.app","profile":"raxx","expiresAt":\#(expiry)}"#)
      return session.secondsLeft(at: UnixTime(secondsSince1970: now))
    }
    #expect(try left(100, 40) == 60 && left(100, 100) == 0 && left(100, 101) == 0)
    #expect(try left(.max, -1) == .max && left(.min, 1) == 0)
    let soon = try session(#"{"version":1,"server":"https://raxx.app","profile":"raxx","expiresAt":1000}"#)
    #expect(soon.endsSoon(at: UnixTime(secondsSince1970: 880)) && !soon.endsSoon(at: UnixTime(secondsSince1970: 879)))
  }
}
