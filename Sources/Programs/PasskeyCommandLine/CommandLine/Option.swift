// SPDX-License-Identifier: Apache-2.0

/// An option of a command, declared once: `--json`, or `--as KIND` when it takes a value.
///
/// A command's specification lists its options, and `arguments[option]` reads them. The type of the value says how an
/// option is given: `Bool` without a value, an optional with one, an array more than once, with different values.
package struct Option<Value: Sendable>: OptionSpecification {
  package let name: String
  package internal(set) var shortName: String?
  package let placeholder: String?
  package let choices: [String]
  package let isRepeatable: Bool
  package fileprivate(set) var printsLines = false
  package private(set) var help: String

  /// The value if the option is absent.
  fileprivate let absent: Value
  fileprivate let parse: @Sendable ([String]) throws(CommandFailure) -> Value

  /// Returns the option with another help text.
  package func described(_ help: String) -> Self {
    var option = self
    option.help = help
    return option
  }

  /// Returns the option with a short name, such as `-d`.
  package func short(_ name: String) -> Self {
    var option = self
    option.shortName = name
    return option
  }

  package func check(_ texts: [String]) throws(CommandFailure) {
    _ = try parse(texts)
  }
}

extension Option where Value == Bool {
  /// Creates an option without a value.
  package init(_ name: String, help: String) {
    self.init(
      name: name, placeholder: nil, choices: [], isRepeatable: false, help: help, absent: false,
      parse: { (texts) in !texts.isEmpty })
  }
}

extension Option where Value == String? {
  /// Creates an option with any text, or one of `choices`, as its value.
  package init(_ name: String, _ placeholder: String, choices: [String] = [], help: String) {
    self.init(
      name: name, placeholder: placeholder, choices: choices, isRepeatable: false, help: help, absent: nil,
      parse: { (texts) in texts.first })
  }
}

extension Option where Value == [String] {
  /// Creates an option whose values are texts, or some of `choices`. It may occur more than once if it is a list.
  package init(_ name: String, _ placeholder: String, choices: [String] = [], isList: Bool = true, help: String) {
    self.init(
      name: name, placeholder: placeholder, choices: choices, isRepeatable: isList, help: help, absent: [],
      parse: { (texts) in texts })
  }
}

extension Option {
  /// Creates an option with a value.
  package init<Element: OptionValue>(_ name: String, _ placeholder: String, help: String) where Value == Element? {
    self.init(
      name: name, placeholder: placeholder, choices: Element.choices, isRepeatable: false, help: help, absent: nil
    ) { (texts) throws(CommandFailure) in
      try texts.first.map { (text) throws(CommandFailure) in try Element(text, of: name) }
    }
  }

  /// Creates an option that may occur more than once, with different values.
  package init<Element: OptionValue>(_ name: String, _ placeholder: String, help: String) where Value == [Element] {
    self.init(
      name: name, placeholder: placeholder, choices: Element.choices, isRepeatable: true, help: help, absent: []
    ) { (texts) throws(CommandFailure) in
      try texts.map { (text) throws(CommandFailure) in try Element(text, of: name) }
    }
  }
}

/// An option as the help, the parser and the completions see it, whatever the type of its value.
package protocol OptionSpecification: Sendable {
  /// The name, with its hyphens.
  var name: String { get }
  var shortName: String? { get }
  /// The placeholder of the value in the help; `nil` for an option without a value.
  var placeholder: String? { get }
  /// The allowed values; empty if any value is allowed.
  var choices: [String] { get }
  /// Whether the option may occur more than once, with different values.
  var isRepeatable: Bool { get }
  /// Whether the option prints one JSON object per line rather than one in total.
  var printsLines: Bool { get }
  /// The description: one line, lower case, no full stop.
  var help: String { get }

  /// Checks the texts that the option has on a command line.
  ///
  /// - Throws: A usage error if one is invalid.
  func check(_ texts: [String]) throws(CommandFailure)
}

extension OptionSpecification where Self == Option<Bool> {
  package static var help: Self {
    var option = Option("--help", help: "show this help")
    option.shortName = "-h"
    return option
  }

  /// `--json` of a command that prints one JSON object, or a failure as one.
  package static var json: Self { Option("--json", help: "print one JSON object") }

  /// `--json` of a command that prints one JSON object per line. A failure is the last line.
  package static var jsonLines: Self {
    var option = Option("--json", help: "print one JSON object per line")
    option.printsLines = true
    return option
  }

  /// The `--version` option of the program, which precedes any command.
  static var version: Self { Option("--version", help: "show the version") }
}

extension ParsedArguments {
  /// The value of an option; `false`, `nil` or an empty array if it is absent.
  package subscript<Value>(option: Option<Value>) -> Value {
    // The specification's options were checked when the arguments were parsed.
    (try? option.parse(texts(of: option))) ?? option.absent
  }
}
