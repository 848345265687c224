// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server mail test ADDRESS`
enum MailTestCommand: Command {
  static let specification = CommandSpecification(
    name: "mail test",
    summary: "send a test mail",
    arguments: "[OPTION…] ADDRESS",
    discussion: [
      """
      Sends one mail to ADDRESS through the configured mail server, and waits for its reply. Reports why the server \
      does not accept it. Uses neither the database nor the outbox.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: [Setting.configuration, .relyingPartyID, .relyingPartyName].map(\.specification)
      + [Setting.mail, .mailFrom, .mailPassword, .mailTemplates, .mailAuthority].map(\.specification)
      + [.help],
    examples: [
      .init(
        command: "passkey-server mail test --config server.json ada@raxx.app",
        meaning: "see whether mail arrives before users need it")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let text = arguments.positionals[0]
    let address = try mapError(EmailAddress(text)) { (_: ServiceError) in
      CommandFailure.usage("\(text.quotedForTerminal) is not an email address", hint: "write one like ada@raxx.app")
    }
    let configuration = try ServerConfiguration(arguments)
    guard let sender = try configuration.deliveries.mailSender() else {
      throw .usage("no mail server is configured", hint: "name it with \(Setting.mail.option)")
    }
    let result = try Blocking.wait { () async throws(CommandFailure) in
      let result = await sender.sendTest(to: address)
      await sender.close()
      return result
    }
    switch result {
    case .delivered:
      Diagnostics.server.note("the mail server accepted a mail to \(address.text)")
    case .retry(_, let reason), .rejected(let reason):
      throw .inputOutput("the mail was not sent: \(reason.escapedForTerminal)")
    case .gone:
      throw .inputOutput("the mail was not sent")
    }
  }
}

extension CommandGroup {
  static let mail = Self(
    name: "mail", summary: "check the mail settings", discussion: [], members: [MailTestCommand.self])
}
