// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// `completions bash|zsh|fish`, which every program has.
///
/// The scripts ask the program for candidates, so every shell offers exactly what `--help` lists. They call
/// `completions words -- WORD…`, which prints the candidates for the last word, one a line, each with its description after a
/// tab. The line `:files` allows file names; the text after it, such as `@`, precedes the name.
enum CompletionsCommand: ProgramCommand {
  static let word = "completions"
  static let takesCommands = false

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "print a shell completion script",
      arguments: "bash|zsh|fish",
      discussion: [
        "A shell loads its script once. The script then asks the program for completions."
      ],
      positionalCount: 1...1024,
      options: [.help],
      examples: [
        .init(command: "source <(\(program) completions bash)", meaning: "load the completions in ~/.bashrc"),
        .init(
          command: "\(program) completions zsh > ~/.zfunc/_\(program)",
          meaning: "install the completions, with ~/.zfunc in fpath"),
        .init(
          command: "\(program) completions fish > ~/.config/fish/completions/\(program).fish",
          meaning: "install the completions"),
      ])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    let shell = arguments.positionals[0]
    if shell == "words" {
      let words = Array(arguments.positionals.dropFirst())
      if words.count > 1, case .forwarded(let command)? = program.entries.first(where: { $0.word == words[0] }) {
        try command.run([word, shell, "--"] + words)
      }
      return try Output.write(Self.words(words, of: program))
    }
    guard arguments.positionals.count == 1 else {
      throw .usage(
        "\(word) \(shell.escapedForTerminal) takes no words", hint: "\(program.name) help \(word) shows the usage")
    }
    guard let script = CompletionScript(rawValue: shell) else {
      throw .usage(
        "unsupported shell \(shell.quotedForTerminal)", hint: "use bash, zsh or fish")
    }
    try Output.write(script.text(for: program.executable))
  }

  private static func words(_ words: [String], of program: Program) -> String {
    let completion = Completion(words.isEmpty ? [""] : words, of: program)
    let lines = completion.candidates.map { $0.meaning.isEmpty ? $0.word : "\($0.word)\t\($0.meaning)" }
    let files = completion.filePrefix.map { [":files\($0)"] } ?? []
    return (lines + files).map { $0 + "\n" }.joined()
  }
}

/// Splits a line into words like a shell: at spaces, with quotation marks and backslashes.
///
/// It supports no variables, patterns or command separators.
package enum ShellWords {
  package static func split(_ line: String) throws(CommandFailure) -> [String] {
    var words: [String] = []
    var word: String?
    var quotation: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quotation) {
      case (_, let open?) where character == open: quotation = nil
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { throw unfinished("a backslash") }
        // Between quotation marks, a backslash is literal unless it precedes a quotation mark or backslash.
        if quotation != nil, next != "\"", next != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      case ("'", nil), ("\"", nil):
        quotation = character
        word = word ?? ""
      case (_, nil) where character.isWhitespace:
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quotation { throw unfinished("a \(quotation)") }
    return word.map { words + [$0] } ?? words
  }

  private static func unfinished(_ what: String) -> CommandFailure {
    .usage("the line ends after \(what)", hint: "quote text with spaces in '…'")
  }
}
