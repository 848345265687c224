// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyCommandLine

@Suite struct ParsedArgumentsTests {
  @Test func `a repeatable option keeps all values in order`() throws {
    let parsed = try ParsedArguments(
      ["--from", "left", "apple", "--from=right"], for: PeelCommand.specification, of: "passkey")
    #expect(parsed[PeelCommand.from] == ["left", "right"])
    #expect(parsed.positionals == ["apple"])
  }

  @Test func `a missing option has no values`() throws {
    let parsed = try ParsedArguments(["apple"], for: PeelCommand.specification, of: "passkey")
    #expect(parsed[PeelCommand.from] == [])
    #expect(!parsed.has(PeelCommand.from))
  }

  @Test func `a repeated option is refused unless it is repeatable`() {
    #expect(throws: CommandFailure.usage("--knife is given twice", hint: "give --knife once")) {
      try ParsedArguments(["--knife", "--knife"], for: PeelCommand.specification, of: "passkey")
    }
  }

  @Test func `a flag takes no value`() {
    #expect(throws: CommandFailure.usage("--knife takes no value", hint: "write --knife alone")) {
      try ParsedArguments(["--knife=sharp"], for: PeelCommand.specification, of: "passkey")
    }
  }

  @Test(arguments: ["-Zf0bWHaX1Ce2NIs1sNfEw", "--f0bWHaX1Ce2NIs1sNfEw"])
  func `an identifier may begin with a dash`(_ identifier: String) throws {
    let parsed = try ParsedArguments(["--knife", identifier], for: PeelCommand.specification, of: "passkey")
    #expect(parsed.positionals == [identifier])
  }

  @Test(arguments: ["-Zf0bWHaX1Ce2NIs1sNfE", "--with-a-knife-of-stainless-steel", "-Zf0bWHaX1Ce2NIs1sNfE="])
  func `what is no identifier is an option`(_ argument: String) {
    let given = argument.hasSuffix("=") ? String(argument.dropLast()) : argument
    #expect(
      throws: CommandFailure.usage(
        "unknown option \(given) for fruit peel", hint: "passkey help fruit peel lists the options")
    ) {
      try ParsedArguments([argument], for: PeelCommand.specification, of: "passkey")
    }
  }

  @Test func `an error in a group's command names both words`() {
    #expect(
      throws: CommandFailure.usage("unknown option --form for fruit peel", hint: "did you mean --from?")
    ) {
      try ParsedArguments(["--form", "left", "apple"], for: PeelCommand.specification, of: "passkey")
    }
    #expect(
      throws: CommandFailure.usage(
        "fruit peel: the argument FRUIT is missing", hint: "usage: passkey fruit peel [OPTION…] FRUIT")
    ) {
      try ParsedArguments([], for: PeelCommand.specification, of: "passkey")
    }
  }
}
