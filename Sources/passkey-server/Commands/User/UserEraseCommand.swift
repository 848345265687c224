// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

/// `passkey-server user erase EMAIL`
enum UserEraseCommand: Command {
  static let specification = CommandSpecification(
    name: "user erase",
    summary: "erase an account and everything about its owner",
    arguments: "[OPTION…] EMAIL",
    discussion: [
      "Its passkeys, sessions and devices go, and so does every address beside the audit trail. What stays is that somebody was there. It cannot be undone, so it is asked for.",
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [OptionSpecification(name: "--yes", help: "do not ask"), .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    if !arguments.has("--yes") { try confirm(email) }
    try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      try await store.service.erase(handle, by: .console, in: context)
    }
    Diagnostics.server.note("the account is erased")
  }

  private static func confirm(_ email: EmailAddress) throws(CommandFailure) {
    guard let terminal = Terminal() else {
      throw .refused("there is no terminal to ask at", hint: "--yes erases without being asked")
    }
    guard terminal.ask("erase \(email.text) for good? type the address: ") == email.text else {
      throw .refused("nothing was erased")
    }
  }
}
