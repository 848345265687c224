// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user erase NAME`
enum UserEraseCommand: Command {
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
    options: Setting.accountOptions + [
      OptionSpecification(name: "--yes", help: "skip the confirmation"), .json, .help,
    ],
    examples: [])

  struct Options: CommandArguments {
    fileprivate let account: AccountOptions
    fileprivate let isConfirmed: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      account = try AccountOptions(arguments)
      isConfirmed = arguments.has("--yes")
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let name = options.account.name
    if !options.isConfirmed { try confirm(name) }
    try Console.use(options.account.settings) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      try await store.service.erase(handle, by: .console, in: context)
    }
    if options.account.asJSON {
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
