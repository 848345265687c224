// SPDX-License-Identifier: Apache-2.0

/// `manual [COMMAND…]`, which every program has: pages for man(1), from what `--help` is made of.
enum ManualCommand: ProgramCommand {
  static let word = "manual"
  static let takesCommands = true

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "print a page for man(1)",
      arguments: "[OPTION…] [COMMAND…]",
      discussion: ["Without a command it is the program's own page. With --output there is a page for every command."],
      positionalCount: 0...2,
      options: [
        OptionSpecification(
          name: "--output", value: .init(name: "FOLDER"),
          help: "write every page into this folder, which is made where there is none"),
        .help,
      ],
      examples: [
        .init(command: "\(program) manual | man -l -", meaning: "read it"),
        .init(command: "\(program) manual --output ~/.local/share/man/man1", meaning: "so that man finds all of them"),
      ])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    if let folder = arguments["--output"] {
      guard arguments.positionals.isEmpty else {
        throw .usage("--output is for every page", hint: "leave the command out, or the option")
      }
      try OutputFile.makeFolder(folder)
      for page in ManualPage.all(of: program) {
        try OutputFile.write([UInt8](page.text.utf8), to: "\(folder)/\(page.fileName)")
      }
      return
    }
    guard !arguments.positionals.isEmpty else { return try Output.write(ManualPage(of: program).text) }
    let (entry, rest) = try CommandEntry.find(arguments.positionals[...], among: program.entries, of: program.name)
    guard rest.isEmpty else {
      throw .usage("\(entry.word) is one command", hint: "\(program.name) manual \(entry.word) prints its page")
    }
    try Output.write(ManualPage(of: entry, in: program).text)
  }
}
