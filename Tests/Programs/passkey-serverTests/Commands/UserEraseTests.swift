// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The question of `passkey-server user erase` at a terminal.
@Suite struct UserEraseTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    _ = try Shell.run("passkey-server init ada@raxx.app", in: place.path)
  }

  @Test(arguments: [
    ("\u{3}", "passkey-server: cancelled", 130), ("\u{4}", "passkey-server: error: nothing was erased", 5),
  ])
  func `a cancelled question erases nothing`(key: String, message: String, exitCode: Int32) throws {
    let terminal = try TerminalProcess("exec passkey-server user erase ada@raxx.app", in: place.path)
    #expect(terminal.waits(for: "erase ada@raxx.app permanently? type the name: "))
    terminal.type(key)
    #expect(terminal.waits(for: "\r\n\(message)\r\n"))
    #expect(terminal.end() == exitCode)
    #expect(try Shell.run("passkey-server user list", in: place.path).contains("ada@raxx.app"))
  }
}
