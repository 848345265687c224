// SPDX-License-Identifier: Apache-2.0

/// One command of a program.
package protocol Command: SendableMetatype {
  static var specification: CommandSpecification { get }
  static func run(_ arguments: ParsedArguments) throws(CommandFailure)
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

  package init(name: String, summary: String, discussion: [String], members: [any Command.Type]) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.members = members
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

/// The exit codes of the programs. They are stable, because scripts depend on them.
package enum ExitCode: Int32, CaseIterable {
  /// Success.
  case done = 0
  /// Reading or writing a file failed.
  case inputOutput = 1
  /// The command line is invalid.
  case usage = 2
  /// The server is unreachable, or its response is incomplete.
  case network = 3
  /// The server rejected the request.
  case refusedByServer = 4
  /// The user or the authenticator declined, or no terminal is available to ask the user.
  case refused = 5
  /// The vault cannot be opened or written.
  case vault = 6
  /// The verified artifact is invalid.
  case verificationFailed = 7
}

/// An error that ends a command: a message, a hint for the next step, and the exit code.
package struct CommandFailure: Error, Equatable {
  package let message: String
  package let hint: String?
  package let exitCode: ExitCode

  /// Returns the failure with another hint.
  package func hinting(_ hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: exitCode)
  }

  /// The command line is invalid.
  package static func usage(_ message: String, hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: .usage)
  }

  /// Reading or writing a file failed.
  package static func inputOutput(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .inputOutput)
  }

  /// The server is unreachable, or its response is incomplete.
  package static func network(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .network)
  }

  /// The server rejected the request.
  package static func refusedByServer(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refusedByServer)
  }

  /// The user or the authenticator declined.
  package static func refused(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refused)
  }

  /// The vault cannot be opened or written.
  package static func vault(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .vault)
  }

  /// The verified artifact is invalid.
  package static func verificationFailed(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .verificationFailed)
  }
}
