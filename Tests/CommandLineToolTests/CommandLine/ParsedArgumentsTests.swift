// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct ParsedArgumentsTests {
  @Test func `an option that may be repeated keeps all its values in their order`() throws {
    let parsed = try ParsedArguments(
      ["--from", "left", "apple", "--from=right"], for: PeelCommand.specification, of: "passkey")
    #expect(parsed.all("--from") == ["left", "right"])
    #expect(parsed["--from"] == "left")
    #expect(parsed.positionals == ["apple"])
  }

  @Test func `an option that was not given has no values`() throws {
    let parsed = try ParsedArguments(["apple"], for: PeelCommand.specification, of: "passkey")
    #expect(parsed.all("--from") == [])
    #expect(!parsed.has("--from"))
  }

  @Test func `any other option given twice is refused`() {
    #expect(throws: CommandFailure.usage("--knife is given twice", hint: "give --knife once")) {
      try ParsedArguments(["--knife", "--knife"], for: PeelCommand.specification, of: "passkey")
    }
  }

  @Test func `a fault in a group's command names both words`() {
    #expect(
      throws: CommandFailure.usage("unknown option --form for fruit peel", hint: "did you mean --from?")
    ) {
      try ParsedArguments(["--form", "left", "apple"], for: PeelCommand.specification, of: "passkey")
    }
    #expect(
      throws: CommandFailure.usage(
        "fruit peel needs more arguments", hint: "usage: passkey fruit peel [OPTION…] FRUIT")
    ) {
      try ParsedArguments([], for: PeelCommand.specification, of: "passkey")
    }
  }
}
