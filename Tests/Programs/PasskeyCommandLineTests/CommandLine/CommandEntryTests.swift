// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyCommandLine

@Suite struct CommandEntryTests {
  private static let entries: [CommandEntry] = [.command(EatCommand.self), .group(.fruit)]

  private func find(_ words: String...) throws(CommandFailure) -> (word: String, rest: [String]) {
    let (entry, rest) = try CommandEntry.find(words, among: Self.entries, of: "passkey")
    return (entry.word, Array(rest))
  }

  @Test func `a command takes one word and leaves the rest`() throws {
    let found = try find("eat", "peel", "--json")
    #expect(found.word == "eat")
    #expect(found.rest == ["peel", "--json"])
  }

  @Test func `a command of a group takes two words`() throws {
    let found = try find("fruit", "peel", "--knife")
    #expect(found.word == "peel")
    #expect(found.rest == ["--knife"])
  }

  @Test(arguments: [["fruit"], ["fruit", "--help"]])
  func `a group without a command names the group`(words: [String]) throws {
    let (entry, rest) = try CommandEntry.find(words, among: Self.entries, of: "passkey")
    #expect(entry.word == "fruit")
    #expect(Array(rest) == Array(words.dropFirst()))
  }

  @Test func `a misspelled word gets a suggestion`() {
    #expect(throws: CommandFailure.usage(#"unknown command "frut""#, hint: "did you mean fruit?")) {
      try find("frut")
    }
    #expect(throws: CommandFailure.usage(#"unknown command "pel" for fruit"#, hint: "did you mean peel?")) {
      try find("fruit", "pel")
    }
  }

  @Test func `an unknown word gets a hint at the list of commands`() {
    #expect(
      throws: CommandFailure.usage(
        #"unknown command "inspect" for fruit"#, hint: "passkey fruit --help lists the commands")
    ) {
      try find("fruit", "inspect")
    }
  }

  @Test func `a word that is an option of the program gets that option as a hint`() {
    #expect(throws: CommandFailure.usage(#"unknown command "version""#, hint: "did you mean --version?")) {
      try find("version")
    }
  }

  @Test(arguments: [
    ("login", ["sign-in", "other"], "sign-in"), ("ls", ["list"], "list"), ("rm", ["list", "erase"], "erase"),
    ("start", ["serve"], "serve"), ("-v", ["--version"], "--version"),
  ])
  func `a word of other programs gets the same command here as a hint`(word: String, known: [String], meant: String) {
    #expect(CommandEntry.synonyms[word]?.first { known.contains($0) } == meant)
  }

  @Test func `a synonym is suggested only where it is a command`() {
    #expect(
      throws: CommandFailure.usage(#"unknown command "ls" for fruit"#, hint: "passkey fruit --help lists the commands")
    ) {
      try find("fruit", "ls")
    }
  }

  @Test func `the help of a group lists its commands by their own names`() {
    #expect(
      CommandEntry.group(.fruit).help(of: "passkey") == """
        passkey fruit: handle fruit

        usage: passkey fruit COMMAND [ARGUMENT…]

        Whatever grows on trees.

        commands:
          peel  take the skin off

        options:
          -h, --help  show this help

        passkey help fruit COMMAND shows the help of a command

        """)
  }

  @Test func `the help of a command in a group has both words and marks repeatable options`() {
    #expect(
      CommandEntry.command(PeelCommand.self).help(of: "passkey") == """
        passkey fruit peel: take the skin off

        usage: passkey fruit peel [OPTION…] FRUIT

        options:
              --from SIDE  begin there; may be given more than once
              --knife      with a knife
          -h, --help       show this help

        """)
  }
}

extension CommandGroup {
  fileprivate static let fruit = Self(
    name: "fruit", summary: "handle fruit", discussion: ["Whatever grows on trees."], members: [PeelCommand.self])
}

enum PeelCommand: Command {
  static let from = Option<[String]>("--from", "SIDE", help: "begin there")

  static let specification = CommandSpecification(
    name: "fruit peel", summary: "take the skin off", arguments: "[OPTION…] FRUIT", discussion: [],
    positionalCount: 1...1,
    options: [from, Option("--knife", help: "with a knife"), .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {}
}

enum EatCommand: Command {
  static let specification = CommandSpecification(
    name: "eat", summary: "eat it", arguments: "FRUIT", discussion: [], positionalCount: 1...1, options: [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {}
}
