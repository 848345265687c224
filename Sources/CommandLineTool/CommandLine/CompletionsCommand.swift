// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// `completions bash|zsh|fish`, which every program has.
///
/// The scripts ask the program for the words, so that what a shell offers is what `--help` says, in every shell.
enum CompletionsCommand: ProgramCommand {
  static let word = "completions"
  static let takesCommands = false

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "print what lets a shell complete the commands",
      arguments: "bash|zsh|fish|words [WORD…]",
      discussion: [
        """
        Each of these shells reads its script once, and asks the program for words from then on: words prints those that \
        may stand in the place of the last WORD, each with its meaning behind a tab, and :files where a file's name may, \
        with what has to stand before the name, such as @, behind it.
        """
      ],
      positionalCount: 1...1024,
      options: [.help],
      examples: [
        .init(command: "source <(\(program) completions bash)", meaning: "in ~/.bashrc"),
        .init(
          command: "\(program) completions zsh > ~/.zfunc/_\(program)",
          meaning: "with ~/.zfunc among the folders in fpath"),
        .init(
          command: "\(program) completions fish > ~/.config/fish/completions/\(program).fish", meaning: "once"),
        .init(command: "\(program) completions words -- help ''", meaning: "what may follow"),
      ])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    let shell = arguments.positionals[0]
    if shell == "words" { return try Output.write(words(Array(arguments.positionals.dropFirst()), of: program)) }
    guard arguments.positionals.count == 1 else {
      throw .usage(
        "\(word) \(shell.escapedForTerminal) takes no words", hint: "\(program.name) help \(word) tells more")
    }
    guard let script = CompletionScript(rawValue: shell) else {
      throw .usage(
        "there are no completions for \(shell.quotedForTerminal)", hint: "there are some for bash, zsh and fish")
    }
    try Output.write(script.text(for: program.name))
  }

  private static func words(_ words: [String], of program: Program) -> String {
    let completion = Completion(words.isEmpty ? [""] : words, of: program)
    let lines = completion.candidates.map { $0.meaning.isEmpty ? $0.word : "\($0.word)\t\($0.meaning)" }
    let files = completion.filePrefix.map { [":files\($0)"] } ?? []
    return (lines + files).map { $0 + "\n" }.joined()
  }
}

/// The words of a line, as a shell takes them apart: spaces part them, quotation marks and backslashes keep together.
///
/// Nothing else means anything: no variable, no pattern, no second command.
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
        // Between quotation marks it is itself, but before what it has to hide.
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
    .usage("the line ends behind \(what)", hint: "put what belongs together between ' and '")
  }
}
