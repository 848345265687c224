// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user erase NAME`
enum UserEraseCommand: Command {
  private static let yes = Option("--yes", help: "skip the confirmation")

  static let specification = CommandSpecification(
    name: "user erase",
    summary: "erase an account and all personal data of its owner",
    arguments: "[OPTION…] NAME",
    discussion: [
      """
      Deletes its passkeys, sessions and devices, and all client addresses in the audit trail. Audit records stay, \
      without personal data. This cannot be undone, so the command asks for confirmation.
      """,
      Console.noticeParagraph, ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.accountOptions + [yes, .json, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    if !arguments[yes] { try confirm(name) }
    try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      try await store.service.erase(handle, by: .console, in: context)
    }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in object.write("user", .string(name.text)) }
    }
    Diagnostics.server.note("the account is erased")
  }

  private static func confirm(_ name: AccountName) throws(CommandFailure) {
    guard let terminal = Terminal() else {
      throw .refused("there is no terminal to ask for confirmation", hint: "use --yes to erase without confirmation")
    }
    guard try terminal.ask("erase \(name.text) permanently? type the name: ") == name.text else {
      throw .refused("nothing was erased")
    }
  }
}
