// SPDX-License-Identifier: Apache-2.0

/// What may stand in the place of the last word of a command line, as the specifications have it.
package struct Completion: Equatable, Sendable {
  /// The words that there are, in the order in which help lists them.
  package var candidates: [Candidate] = []

  /// What stands in front of the name of a file that may stand there, too, such as `@`, or nothing; nil where none may.
  package var filePrefix: String?

  /// Whether the name of a file may stand there, too.
  package var takesFile: Bool { filePrefix != nil }

  package struct Candidate: Equatable, Sendable {
    package let word: String
    /// What it means, in a few words, or nothing.
    package let meaning: String

    package init(_ word: String, _ meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }
  }

  /// Nothing.
  init() {}

  /// Those among the words that begin so.
  package init(_ beginning: String, among words: [Candidate]) {
    candidates = words.filter { $0.word.hasPrefix(beginning) }
  }

  /// Completes the last of `words`, which stand behind the name of the program and are not none.
  package init(_ words: [String], of program: Program) {
    var standard = program.standardCommand?.specification ?? .nothing
    standard.options.append(.version)
    self = Self.completed(words[...], among: program.entries, standard: standard, program.name)
  }

  /// Completes the last of the words that stand behind a command's name.
  package init(_ words: ArraySlice<String>, of specification: CommandSpecification) {
    guard let last = words.last else { return }
    var positionals = 0
    var open: OptionSpecification?
    var optionsHaveEnded = false
    for word in words.dropLast() {
      if open != nil {
        open = nil
      } else if word == "--" {
        optionsHaveEnded = true
      } else if word.hasPrefix("-"), word != "-", !optionsHaveEnded {
        open = word.contains("=") ? nil : specification.options.first { $0.isNamed(word) && $0.value != nil }
      } else {
        positionals += 1
      }
    }
    if let value = open?.value {
      self = Self.completed(last, of: value, behind: "")
    } else if last.hasPrefix("-"), !optionsHaveEnded {
      self = Self.completed(option: last, of: specification)
    } else {
      let places = ArgumentPlace.all(of: specification)
      let behind = places.last.flatMap { $0.isRepeated ? $0 : nil }
      guard let place = places.indices.contains(positionals) ? places[positionals] : behind else { return }
      self = Self.completed(last, among: place.words.map { Candidate($0) })
      filePrefix = Self.prefix(place.filePrefix, before: last)
    }
  }

  private static func completed(
    _ words: ArraySlice<String>, among entries: [CommandEntry], standard: CommandSpecification, _ program: String
  ) -> Self {
    guard let first = words.first else { return Self() }
    guard words.count > 1 || first.hasPrefix("-") else {
      return completed(first, among: entries.map { Candidate($0.word, $0.summary(of: program)) })
    }
    if first.hasPrefix("-") { return Self(words, of: standard) }
    let rest = words.dropFirst()
    switch entries.first(where: { $0.word == first }) {
    case .group(let group)?:
      return completed(rest, among: group.members.map { .command($0) }, standard: .nothing, program)
    case .about(let command)?:
      if !rest.contains(where: { $0.hasPrefix("-") }), command.takesCommands {
        return completed(rest, namesIn: entries, program)
      }
      return Self(rest, of: command.specification(of: program))
    case .command(let command)?: return Self(rest, of: command.specification)
    case nil: return Self()
    }
  }

  /// The names of commands, which `help` takes.
  private static func completed(
    _ words: ArraySlice<String>, namesIn entries: [CommandEntry], _ program: String
  ) -> Self {
    guard let first = words.first else { return Self() }
    if words.count == 1 { return completed(first, among: entries.map { Candidate($0.word, $0.summary(of: program)) }) }
    guard words.count == 2, case .group(let group)? = entries.first(where: { $0.word == first }) else { return Self() }
    return completed(
      words.last ?? "", among: group.members.map { Candidate($0.specification.word, $0.specification.summary) })
  }

  private static func completed(option beginning: String, of specification: CommandSpecification) -> Self {
    guard let sign = beginning.firstIndex(of: "=") else { return completed(beginning, options: specification.options) }
    let option = specification.options.first { $0.isNamed(String(beginning[..<sign])) }
    guard let value = option?.value else { return Self() }
    return completed(String(beginning[beginning.index(after: sign)...]), of: value, behind: String(beginning[...sign]))
  }

  private static func completed(_ beginning: String, options: [OptionSpecification]) -> Self {
    completed(beginning, among: options.map { Candidate($0.name, $0.help) })
  }

  private static func completed(
    _ beginning: String, of value: OptionSpecification.Value, behind name: String
  ) -> Self {
    var completion = completed(name + beginning, among: value.words.map { Candidate(name + $0) })
    completion.filePrefix = prefix(ArgumentPlace(value.name).filePrefix, before: beginning).map { name + $0 }
    return completion
  }

  /// What is typed already has to be the beginning of it.
  private static func prefix(_ prefix: String?, before typed: String) -> String? {
    prefix.flatMap { typed.hasPrefix($0) || typed.isEmpty ? $0 : nil }
  }

  private static func completed(_ beginning: String, among words: [Candidate]) -> Self {
    Self(beginning, among: words)
  }
}

extension OptionSpecification.Value {
  /// The values that can be listed: all that there are, or those that its name spells out.
  fileprivate var words: [String] { choices.isEmpty ? ArgumentPlace(name).words : choices }
}

extension CommandSpecification {
  /// What may stand behind a group's name besides its commands.
  fileprivate static let nothing = Self(
    name: "", summary: "", arguments: "", discussion: [], positionalCount: 0...0, options: [.help], examples: [])
}

extension OptionSpecification {
  fileprivate func isNamed(_ name: String) -> Bool { self.name == name || shortName == name }
}

/// A place of a command's line for an argument that is no option, as the first line of help draws it: `FILE|-`, or
/// `set|change`, or `[COMMAND…]`.
struct ArgumentPlace: Equatable {
  /// Words that stand for themselves.
  var words: [String] = []

  /// What stands in front of a file's name here, which is nothing for most; nil where no file's name may stand.
  var filePrefix: String?

  /// Whether more of the same may follow.
  var isRepeated = false

  /// The places of a command, in their order.
  static func all(of specification: CommandSpecification) -> [Self] {
    var places: [Self] = []
    // What is drawn behind an option that takes a value is that value.
    var isValue = false
    for word in specification.arguments.split(separator: " ") {
      let drawing = word.filter { !"[]".contains($0) }
      let option = specification.options.first { (option) in option.name == drawing }
      if !isValue, option == nil, !drawing.hasPrefix("-"), !drawing.hasPrefix("OPTION") {
        places.append(Self(drawing, specification.literals))
      }
      isValue = option?.value != nil
    }
    return places
  }

  /// Reads what help draws.
  init(_ drawing: String, _ literals: [String] = []) {
    isRepeated = drawing.hasSuffix("…")
    for part in drawing.filter({ $0 != "…" }).split(separator: "|").map(String.init) {
      // What is replaced by something else stands in capitals.
      if literals.contains(part) || part != "-" && part == part.lowercased() {
        words.append(part)
      } else if !part.hasPrefix("/"), ["FILE", "PATH", "FOLDER"].contains(where: { part.hasSuffix($0) }) {
        // A path that begins with a slash is a server's.
        filePrefix = part.hasPrefix("@") ? "@" : ""
      }
    }
  }
}
