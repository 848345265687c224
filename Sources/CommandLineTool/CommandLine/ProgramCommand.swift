// SPDX-License-Identifier: Apache-2.0

/// A command that every program has, since it is about the program's own commands.
package protocol ProgramCommand: SendableMetatype {
  static var word: String { get }
  /// Whether its arguments are the names of commands.
  static var takesCommands: Bool { get }
  static func specification(of program: String) -> CommandSpecification
  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure)
}
