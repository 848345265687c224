// SPDX-License-Identifier: Apache-2.0

/// The completions of the last word of a command line, derived from the command specifications.
package struct Completion: Equatable, Sendable {
  /// The candidate words, in the order of the help.
  package var candidates: [Candidate] = []

  /// The text before a file name at this position, such as `@` or nothing; `nil` if file names are not allowed.
  package var filePrefix: String?

  /// Whether a file name is allowed at this position.
  package var takesFile: Bool { filePrefix != nil }

  package struct Candidate: Equatable, Sendable {
    package let word: String
    /// A short description, or an empty string.
    package let meaning: String

    package init(_ word: String, _ meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }
  }

  /// Creates an empty completion.
  init() {}

  /// Completes `beginning` from a list of words.
  package init(_ beginning: String, among words: [Candidate]) {
    candidates = words.filter { $0.word.hasPrefix(beginning) }
  }

  /// Completes the last of `words`, which follow the program name and must not be empty.
  package init(_ words: [String], of program: Program) {
    var standard = program.standardCommand?.specification ?? .nothing
    standard.options.append(.version)
    self = Self.completed(words[...], among: program.entries, standard: standard, program.name)
  }

  /// Completes the last of the words that follow a command's name.
  package init(_ words: ArraySlice<String>, of specification: CommandSpecification) {
    guard let last = words.last else { return }
    var positionals = 0
    var open: (any OptionSpecification)?
    var optionsHaveEnded = false
    for word in words.dropLast() {
      if open != nil {
        open = nil
      } else if word == "--" {
        optionsHaveEnded = true
      } else if word.hasPrefix("-"), word != "-", !optionsHaveEnded {
        open = word.contains("=") ? nil : specification.options.first { $0.isNamed(word) && $0.placeholder != nil }
      } else {
        positionals += 1
      }
    }
    if let open {
      self = Self.completed(last, of: open, behind: "")
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
      // A first word that names no member is an argument of the group's own command.
      if let command = group.standardCommand, rest.count > 1,
        !group.members.contains(where: { $0.specification.word == rest.first })
      {
        return Self(rest, of: command.specification)
      }
      let standard = group.standardCommand?.specification ?? .nothing
      return completed(rest, among: group.members.map { .command($0) }, standard: standard, program)
    case .about(let command)?:
      if !rest.contains(where: { $0.hasPrefix("-") }), command.takesCommands {
        return completed(rest, namesIn: entries, program)
      }
      return Self(rest, of: command.specification(of: program))
    case .command(let command)?: return Self(rest, of: command.specification)
    // The other program completes its own commands.
    case .forwarded?, nil: return Self()
    }
  }

  /// Completes command names, which `help` takes as arguments.
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
    let named = specification.options.first { $0.isNamed(String(beginning[..<sign])) }
    guard let option = named, option.placeholder != nil else { return Self() }
    return completed(String(beginning[beginning.index(after: sign)...]), of: option, behind: String(beginning[...sign]))
  }

  private static func completed(_ beginning: String, options: [any OptionSpecification]) -> Self {
    completed(beginning, among: options.map { Candidate($0.name, $0.help) })
  }

  private static func completed(
    _ beginning: String, of option: any OptionSpecification, behind name: String
  ) -> Self {
    let place = ArgumentPlace(option.placeholder ?? "")
    let words = option.choices.isEmpty ? place.words : option.choices
    var completion = completed(name + beginning, among: words.map { Candidate(name + $0) })
    completion.filePrefix = prefix(place.filePrefix, before: beginning).map { name + $0 }
    return completion
  }

  /// Returns the file prefix if it is compatible with the typed text.
  private static func prefix(_ prefix: String?, before typed: String) -> String? {
    prefix.flatMap { typed.hasPrefix($0) || typed.isEmpty ? $0 : nil }
  }

  private static func completed(_ beginning: String, among words: [Candidate]) -> Self {
    Self(beginning, among: words)
  }
}

extension CommandSpecification {
  /// A specification without options, for the word after a group's name.
  fileprivate static let nothing = Self(
    name: "", summary: "", arguments: "", discussion: [], positionalCount: 0...0, options: [.help], examples: [])
}

extension OptionSpecification {
  fileprivate func isNamed(_ name: String) -> Bool { self.name == name || shortName == name }
}

/// A positional argument, parsed from the usage line of the help: `FILE|-`, `set|change` or `[COMMAND…]`.
struct ArgumentPlace: Equatable {
  /// The literal words.
  var words: [String] = []

  /// The text before a file name, usually empty; `nil` if file names are not allowed.
  var filePrefix: String?

  /// Whether the argument may repeat.
  var isRepeated = false

  /// Returns the positional arguments of a command.
  static func all(of specification: CommandSpecification) -> [Self] {
    var places: [Self] = []
    // The word after an option with a value is the placeholder of that value.
    var isValue = false
    for word in specification.arguments.split(separator: " ") {
      let drawing = word.filter { !"[]".contains($0) }
      let option = specification.options.first { (option) in option.name == drawing }
      if !isValue, option == nil, !drawing.hasPrefix("-"), !drawing.hasPrefix("OPTION") {
        places.append(Self(drawing, specification.literals))
      }
      isValue = option?.placeholder != nil
    }
    return places
  }

  /// Parses one argument of the usage line.
  init(_ drawing: String, _ literals: [String] = []) {
    isRepeated = drawing.hasSuffix("…")
    for part in drawing.filter({ $0 != "…" }).split(separator: "|").map(String.init) {
      // Placeholders are in capitals.
      if literals.contains(part) || part != "-" && part == part.lowercased() {
        words.append(part)
      } else if !part.hasPrefix("/"), ["FILE", "PATH", "FOLDER"].contains(where: { part.hasSuffix($0) }) {
        // A path with a leading slash is a URL path on a server, not a file.
        filePrefix = part.hasPrefix("@") ? "@" : ""
      }
    }
  }
}
