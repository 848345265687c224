// SPDX-License-Identifier: Apache-2.0

/// One command of a program.
package protocol Command: SendableMetatype {
  /// The arguments of the command.
  associatedtype Options: CommandArguments

  static var specification: CommandSpecification { get }
  static func run(_ options: Options) throws(CommandFailure)
}

/// The arguments of a command that depend on each other or on files, decoded once before the command runs.
package protocol CommandArguments {
  /// Decodes the arguments.
  ///
  /// - Throws: A usage error if options contradict each other.
  init(_ arguments: ParsedArguments) throws(CommandFailure)
}

/// The arguments themselves, for a command that reads its options where it uses them.
extension ParsedArguments: CommandArguments {
  package init(_ arguments: ParsedArguments) {
    self = arguments
  }
}

/// Commands with a common first word, such as `passkey mds verify` and `passkey mds show`.
package struct CommandGroup: Sendable {
  /// The common first word.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// The paragraphs of the help.
  package let discussion: [String]

  /// The commands. The name in each specification has both words.
  package let members: [any Command.Type]

  /// The command that runs if the next word names no member; `nil` for most groups. Its name is that of the group.
  package let standardCommand: (any Command.Type)?

  package init(name: String, summary: String, discussion: [String], members: [any Command.Type]) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.members = members
    standardCommand = nil
  }

  /// Creates a group whose name alone is a command too.
  package init(standard command: any Command.Type, members: [any Command.Type]) {
    name = command.specification.name
    summary = command.specification.summary
    discussion = command.specification.discussion
    self.members = members
    standardCommand = command
  }
}

/// A command about the program itself, such as `help`. Every program has these commands.
package protocol ProgramCommand: SendableMetatype {
  static var word: String { get }
  /// Whether the arguments are command names.
  static var takesCommands: Bool { get }
  static func specification(of program: String) -> CommandSpecification
  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure)
}
