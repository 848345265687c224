// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnClient

struct ExpiryWarningTests {
  private static func session(until end: Int) throws -> ServerSession {
    let json = """
      {"version":1,"server":"https://raxx.app","profile":"raxx","user":"ada","token":"t","expiresAt":\(end)}
      """
    return try ServerSession(json: [UInt8](json.utf8)[...])
  }

  @Test(arguments: [30, 300])
  func `a session's end is announced as long before as the profile says, once, and when it has come`(
    window: Int
  ) throws {
    let session = try Self.session(until: 1_000)
    var warning = ExpiryWarning(window: .seconds(window))
    func notice(_ left: Int) -> String? {
      warning.due(for: session, at: UnixTime(secondsSince1970: Int64(1_000 - left)))
    }
    #expect(notice(window + 1) == nil)
    #expect(notice(window) == "the session ends in \(window) s: open another with sign-in")
    #expect(notice(1) == nil)
    #expect(notice(0) == "the session has ended: open another with sign-in")
    #expect(notice(0) == nil)
  }
}
