// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyFormats
import Testing

@Suite struct CommandFailureTests {
  @Test func `a failure is one line of JSON with its code, message, hint and exit code`() throws {
    let failure = CommandFailure.usage("no server\u{1b}", hint: "name one").coded("server.missing")
    #expect(failure.json.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    let object = try JSON.parse(failure.json[...])
    #expect(try object.members.map(\.name) == ["code", "message", "hint", "exitCode"])
    #expect(try object.require("code").string == "server.missing")
    #expect(try object.require("message").string == "no server\u{1b}")
    #expect(try object.require("hint").string == "name one")
    #expect(try object.require("exitCode").int64 == 2)
  }

  @Test func `a failure without a code of its own has one of its exit code, and may lack a hint`() throws {
    let object = try JSON.parse(CommandFailure.interrupted.json[...])
    #expect(try object.require("code").string == "command.interrupted")
    #expect(try object.require("hint").kind == .null)
    #expect(try object.require("exitCode").int64 == 130)
    let codes = Set(
      [
        CommandFailure.inputOutput(""), .usage("", hint: ""), .network(""), .refusedByServer(""), .refused(""),
        .vault(""), .verificationFailed(""), .interrupted,
      ].map(\.code))
    #expect(codes.count == 8)
  }

  @Test func `another hint keeps the code, and another code keeps the hint`() {
    let failure = CommandFailure.refused("no", hint: "ask").coded("account.unknown")
    #expect(failure.hinting("look").code == "account.unknown")
    #expect(failure.coded("account.locked").hint == "ask")
  }
}
