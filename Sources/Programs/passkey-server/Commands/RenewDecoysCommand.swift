// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server renew-decoys`
enum RenewDecoysCommand: Command {
  static let specification = CommandSpecification(
    name: "renew-decoys",
    summary: "let decoys imitate the accounts of today",
    arguments: "[OPTION…]",
    discussion: [
      """
      A sign-in lists decoy passkeys for an address without an account. Their number, ID lengths and transports imitate \
      the accounts at the time of the first sign-in by name, or a public site if there were fewer than 50. They stay the \
      same while the site grows. If its accounts look different today, this command samples them again.
      """,
      """
      It changes many decoys at once: someone who asked for an address before and asks again learns that it has no \
      account. Use it rarely, best before the site is public. Running servers follow within about a minute.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [.json, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let count = try Console.use(arguments) { (store, _) async throws(ServiceError) in
      try await store.service.renewDecoys()
    }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in object.write("accounts", .integer(Int64(count))) }
    }
    Diagnostics.server.note(
      count == 0
        ? "there are too few accounts: decoys imitate a public site"
        : "decoys imitate the passkeys of \(count) accounts")
  }
}
