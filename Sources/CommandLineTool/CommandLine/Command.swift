// SPDX-License-Identifier: Apache-2.0

/// One command of a program.
package protocol Command: SendableMetatype {
  static var specification: CommandSpecification { get }
  static func run(_ arguments: ParsedArguments) throws(CommandFailure)
}
