// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient

/// The options for servers whose accounts need an invitation, the code of a mail or an approval.
enum AuditAccountSteps {
  private static let invitationCommand = Option(
    "--invitation-command", "COMMAND",
    help: "get a new sign-up code for each account from the output of this shell command")
  private static let approveCommand = Option(
    "--approve-command", "COMMAND",
    help: "approve each account that waits for approval with this shell command")
  private static let mailDomain = Option(
    "--mail-domain", "DOMAIN",
    help: "the domain of the accounts' email addresses (audit.example)")

  static let options: [any OptionSpecification] = [
    invitationCommand, MailCodeSource.commandOption, approveCommand, mailDomain,
  ]

  /// The help paragraph about the commands.
  static let explanation = """
    The environment of --invitation-command, --code-command and --approve-command has PASSKEY_CODE_ADDRESS, the name or the \
    address of the account; PASSKEY_CODE_PURPOSE, which is invitation, sign-up or approval; and PASSKEY_SERVER.
    """

  /// Sets the steps of an audit.
  static func set(_ arguments: ParsedArguments, in audit: inout AuditOptions) throws(CommandFailure) {
    guard !arguments.has(AuditCommand.invitation) || !arguments.has(invitationCommand) else {
      throw .usage("--invitation and --invitation-command cannot be combined", hint: "use only one of them")
    }
    let server = audit.server
    audit.newInvitation = command(invitationCommand, .invitation, arguments, server)
    audit.mailCode = command(MailCodeSource.commandOption, .signUp, arguments, server)
    if let text = arguments[approveCommand] {
      audit.approve = { (name) async throws(CannotTell) in
        _ = try await perform { () async throws(CommandFailure) in
          try await CodeCommand(text, of: approveCommand.name).run(address: name, .approval, at: server)
        }
      }
    }
    if let domain = arguments[mailDomain] {
      let isPlain = domain.utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
      }
      guard isPlain, domain.contains("."), domain.utf8.count <= 200 else {
        throw .usage(
          "--mail-domain cannot be \(domain.quotedForTerminal)",
          hint: "use a domain in lower case, such as test.example")
      }
      audit.mailDomain = domain
    }
  }

  private static func command(
    _ option: Option<String?>, _ purpose: MailPurpose, _ arguments: ParsedArguments, _ server: ServerAddress
  ) -> AccountStep<String>? {
    guard let text = arguments[option] else { return nil }
    return { (name) async throws(CannotTell) in
      try await perform { () async throws(CommandFailure) in
        try await CodeCommand(text, of: option.name).output(address: name, purpose, at: server)
      }
    }
  }

  /// Turns a failure of a command into a reason why a check cannot judge.
  private static func perform<Value>(
    _ body: () async throws(CommandFailure) -> Value
  ) async throws(CannotTell) -> Value {
    try await mapError(async: await body()) { (error: CommandFailure) in CannotTell(error.message) }
  }
}
