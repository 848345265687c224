// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyCommandLine

@Suite struct CompletionTests {
  enum Greet: Command {
    private static let language = {
      var option = Option("--language", "NAME", choices: ["english", "esperanto", "greek"], help: "in which")
      option.shortName = "-l"
      return option
    }()

    static let specification = CommandSpecification(
      name: "greet", summary: "say hello", arguments: "[OPTION…] warmly|coldly FILE…", discussion: [],
      positionalCount: 1...3,
      options: [
        language, Option("--from", "FILE", help: "from which file"), Option("--loud", help: "louder"), .help,
      ], examples: [])
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {}
  }

  static let program = Program(
    name: "p", summary: "a program",
    sections: [
      Program.Section(
        "greet",
        [
          .command(Greet.self),
          .group(CommandGroup(name: "grin", summary: "smile", discussion: [], members: [Greet.self])),
        ])
    ])

  static func words(_ words: String...) -> [String] {
    Completion(words, of: program).candidates.map(\.word)
  }

  @Test func `the first word is a command or an option of the program`() {
    #expect(Self.words("gr") == ["greet", "grin"])
    #expect(Self.words("") == ["greet", "grin", "completions", "manual", "help"])
    #expect(Self.words("--") == ["--help", "--version"])
  }

  @Test func `help completes commands and groups`() {
    #expect(Self.words("help", "gri") == ["grin"])
    #expect(Self.words("help", "grin", "") == ["greet"])
    #expect(Self.words("help", "greet", "").isEmpty)
  }

  @Test func `a group completes its commands, and they complete their options`() {
    #expect(Self.words("grin", "") == ["greet"])
    #expect(Self.words("grin", "greet", "--lo") == ["--loud"])
  }

  @Test func `a group that is a command too completes both`() {
    enum Wave: Command {
      static let specification = CommandSpecification(
        name: "wave", summary: "wave", arguments: "[OPTION…] FILE", discussion: [], positionalCount: 1...1,
        options: [Option("--far", help: "farther"), .help], examples: [])
      static func run(_ arguments: ParsedArguments) throws(CommandFailure) {}
    }
    let program = Program(
      name: "p", summary: "a program",
      sections: [.init("wave", [.group(CommandGroup(standard: Wave.self, members: [Greet.self]))])])
    func words(_ words: String...) -> [String] { Completion(words, of: program).candidates.map(\.word) }
    #expect(words("wave", "") == ["greet"])
    #expect(words("wave", "--f") == ["--far"])
    #expect(words("wave", "file", "--f") == ["--far"])
    #expect(words("wave", "greet", "--lo") == ["--loud"])
  }

  @Test func `an option completes its values, after a space and after =`() {
    #expect(Self.words("greet", "--language", "e") == ["english", "esperanto"])
    #expect(Self.words("greet", "-l", "") == ["english", "esperanto", "greek"])
    #expect(Self.words("greet", "--language=g") == ["--language=greek"])
    #expect(Self.words("greet", "--la") == ["--language"])
  }

  @Test func `a file name is completed where a file is expected`() {
    for words in [["greet", "--from", ""], ["greet", "warmly", ""], ["greet", "warmly", "one", ""]] {
      let completion = Completion(words, of: Self.program)
      #expect(completion.takesFile)
      #expect(completion.candidates.isEmpty)
    }
    #expect(!Completion(["greet", ""], of: Self.program).takesFile)
  }

  enum Send: Command {
    static let specification = CommandSpecification(
      name: "send", summary: "send it", arguments: "[OPTION…] --to PLACE GET|POST /PATH", discussion: [],
      positionalCount: 2...2,
      options: [
        Option("--to", "PLACE", help: "where"),
        Option("--data", "TEXT|@FILE|-", help: "what"),
      ], examples: [], literals: ["GET", "POST"])
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {}
  }

  @Test func `a file after @ is completed, and a server's path is not a file`() {
    func prefix(_ words: String...) -> String? { Completion(words[...], of: Send.specification).filePrefix }
    #expect(prefix("--data", "") == "@")
    #expect(prefix("--data", "@a") == "@")
    #expect(prefix("--data=@a") == "--data=@")
    #expect(prefix("--data", "a") == nil)
    #expect(prefix("GET", "") == nil)
    #expect(Completion(["greet", "--from=a"], of: Self.program).filePrefix == "--from=")
    #expect(Completion(["greet", "--from", "a"], of: Self.program).filePrefix == "")
  }

  @Test func `literal words in capitals are completed after any options`() {
    func words(_ words: String...) -> [String] {
      Completion(words[...], of: Send.specification).candidates.map(\.word)
    }
    #expect(words("") == ["GET", "POST"])
    #expect(words("--to", "x", "P") == ["POST"])
    #expect(words("GET", "").isEmpty)
  }

  @Test func `words of an argument are completed at its position`() {
    #expect(Self.words("greet", "") == ["warmly", "coldly"])
    #expect(Self.words("greet", "--loud", "--from", "x", "c") == ["coldly"])
    #expect(Self.words("greet", "--", "--l").isEmpty)
  }

  @Test func `an unknown command completes nothing`() {
    #expect(Self.words("frobnicate", "").isEmpty)
  }
}
