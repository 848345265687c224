// SPDX-License-Identifier: Apache-2.0

/// `manual [COMMAND…]`, which every program has: pages for man(1), from the same specifications as `--help`.
enum ManualCommand: ProgramCommand {
  static let word = "manual"
  static let takesCommands = true

  private static let output = Option(
    "--output", "FOLDER", help: "write all pages into this folder, which is created if missing")

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "print a page for man(1)",
      arguments: "[OPTION…] [COMMAND…]",
      discussion: ["Without a command, prints the program's page. With --output, writes a page for every command."],
      positionalCount: 0...Int.max,
      options: [output, .help],
      examples: [
        .init(command: "\(program) manual | man -l -", meaning: "read the page"),
        .init(command: "\(program) manual --output ~/.local/share/man/man1", meaning: "install all pages for man"),
      ])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    if let folder = arguments[output] {
      guard arguments.positionals.isEmpty else {
        throw .usage("--output writes all pages", hint: "omit the command or --output")
      }
      try OutputFile.makeFolder(folder)
      for page in ManualPage.all(of: program) {
        try OutputFile.write([UInt8](page.text.utf8), to: "\(folder)/\(page.fileName)")
      }
      return
    }
    guard !arguments.positionals.isEmpty else { return try Output.write(ManualPage(of: program).text) }
    let (entry, _) = try CommandEntry.find(arguments.positionals, among: program.entries, of: program.name)
    if case .forwarded(let command) = entry { try command.run([word] + arguments.positionals) }
    try Output.write(ManualPage(of: entry, in: program).text)
  }
}

/// A page for man(1), from the same specifications as `--help`.
struct ManualPage {
  /// The name of the page: the program and the command, joined with hyphens.
  let name: String

  /// The page in the man macros of roff.
  let text: String

  var fileName: String { "\(name).1" }

  /// Returns all pages of a program: its own, and one for each command and group.
  static func all(of program: Program) -> [Self] {
    var pages = [Self(of: program)]
    for entry in program.entries {
      if case .forwarded = entry { continue }
      pages.append(Self(of: entry, in: program))
      guard case .group(let group) = entry else { continue }
      pages += group.members.map { Self(of: .command($0), in: program) }
    }
    return pages
  }

  /// Creates the page of the program.
  init(of program: Program) {
    name = program.executable
    var page = Roff(page: name, summary: program.summary)
    page.section("SYNOPSIS")
    page.paragraph(bold: name, plain: "COMMAND [ARGUMENT…]")
    page.section("COMMANDS")
    for entry in program.entries {
      page.item(term: entry.word, value: nil, entry.summary(of: program.name))
    }
    page.section("OPTIONS")
    for option in [Option.help, .version] { page.item(option) }
    page.section("SEE ALSO")
    page.references(program.entries.map { "\(program.name)-\($0.word)" })
    text = page.text
  }

  /// Creates the page of a command or group.
  init(of entry: CommandEntry, in program: Program) {
    if case .group(let group) = entry, let command = group.standardCommand {
      self.init(of: command.specification, in: program, members: group.members)
    } else if case .group(let group) = entry {
      self.init(of: group, in: program)
    } else {
      let specification =
        entry.specification(of: program.name) ?? HelpCommand.specification(of: program.name)
      self.init(of: specification, in: program)
    }
  }

  private init(of group: CommandGroup, in program: Program) {
    let name = "\(program.name)-\(group.name)"
    self.name = name
    var page = Roff(page: name, summary: group.summary)
    page.section("SYNOPSIS")
    page.paragraph(bold: "\(program.name) \(group.name)", plain: "COMMAND [ARGUMENT…]")
    page.description(group.discussion)
    page.members(group.members)
    page.section("SEE ALSO")
    page.references([program.name] + group.members.map { "\(name)-\($0.specification.word)" })
    text = page.text
  }

  private init(of command: CommandSpecification, in program: Program, members: [any Command.Type] = []) {
    let name = ([program.name] + command.name.split(separator: " ").map(String.init)).joined(separator: "-")
    self.name = name
    var page = Roff(page: name, summary: command.summary)
    page.section("SYNOPSIS")
    page.paragraph(bold: "\(program.name) \(command.name)", plain: command.arguments)
    page.description(command.discussion)
    page.section("OPTIONS")
    for option in command.options { page.item(option) }
    if !members.isEmpty { page.members(members) }
    if !command.examples.isEmpty {
      page.section("EXAMPLES")
      for example in command.examples { page.item(term: example.command, value: nil, example.meaning) }
    }
    page.section("SEE ALSO")
    let group = command.name.split(separator: " ").dropLast().joined(separator: "-")
    page.references(
      [program.name] + (group.isEmpty ? [] : ["\(program.name)-\(group)"])
        + members.map { "\(name)-\($0.specification.word)" })
    text = page.text
  }
}

extension Roff {
  /// Appends the section about the commands of a group.
  fileprivate mutating func members(_ members: [any Command.Type]) {
    section("COMMANDS")
    for member in members { item(term: member.specification.word, value: nil, member.specification.summary) }
  }
}
