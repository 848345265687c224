// SPDX-License-Identifier: Apache-2.0

/// One command of a program.
package protocol Command: SendableMetatype {
  static var specification: CommandSpecification { get }
  static func run(_ arguments: ParsedArguments) throws(CommandFailure)
}

/// Commands that share their first word, as `passkey mds verify` and `passkey mds show` do.
package struct CommandGroup: Sendable {
  /// The word that they share.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// Paragraphs of help.
  package let discussion: [String]

  /// The commands. The specification of each is called by both words.
  package let members: [any Command.Type]

  package init(name: String, summary: String, discussion: [String], members: [any Command.Type]) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.members = members
  }
}

/// A command that every program has, since it is about the program's own commands.
package protocol ProgramCommand: SendableMetatype {
  static var word: String { get }
  /// Whether its arguments are the names of commands.
  static var takesCommands: Bool { get }
  static func specification(of program: String) -> CommandSpecification
  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure)
}

/// How the program ends. The numbers are promised: scripts depend on them.
package enum ExitCode: Int32, CaseIterable {
  /// Everything was done, and nothing was found wrong.
  case done = 0
  /// A file could not be read, or output could not be written.
  case inputOutput = 1
  /// The command line was not understood.
  case usage = 2
  /// The server cannot be reached, or its answer did not come whole.
  case network = 3
  /// The server said no.
  case refusedByServer = 4
  /// The user, or the device, said no; or nobody could be asked, since there is no terminal.
  case refused = 5
  /// The vault cannot be opened or written.
  case vault = 6
  /// What was to be judged is wrong.
  case verificationFailed = 7
}

/// Why a command ends early: one line of what is wrong, one of what to do about it, and how the program ends.
package struct CommandFailure: Error, Equatable {
  package let message: String
  package let hint: String?
  package let exitCode: ExitCode

  /// The same, with something else to do about it.
  package func hinting(_ hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: exitCode)
  }

  /// The command line was not understood.
  package static func usage(_ message: String, hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: .usage)
  }

  /// A file could not be read, or output could not be written.
  package static func inputOutput(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .inputOutput)
  }

  /// The server cannot be reached, or its answer did not come whole.
  package static func network(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .network)
  }

  /// The server said no.
  package static func refusedByServer(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refusedByServer)
  }

  /// The user, or the device, said no.
  package static func refused(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refused)
  }

  /// The vault cannot be opened or written.
  package static func vault(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .vault)
  }

  /// What was to be judged is wrong.
  package static func verificationFailed(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .verificationFailed)
  }
}
