// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyPages
internal import PasskeyService
internal import PasskeySystem

// Commands that print a one-time code.

/// `passkey-server user invite [EMAIL]`
enum UserInviteCommand: Command {
  private static let printed = Option("--print", help: "print the code or the link, and mail nothing")

  static let specification = CommandSpecification(
    name: "user invite",
    summary: "invite a person to create an account: by mail, or with a printed code",
    arguments: "[OPTION…] [EMAIL]",
    discussion: [
      """
      With a mail server, mails the code to EMAIL, with a link to the page on which the account is created. The account then \
      has a verified address. Without one, or with --print, prints the link, or the code if the server has no pages: \
      hand it over yourself. The address of such an account is not verified.
      """,
      """
      If no email address is given, the person with the code chooses the names of the account, and verifies the address if \
      the server asks for that.
      """,
      Console.noticeParagraph,
      ExitCode.paragraph,
    ],
    positionalCount: 0...1,
    options: Setting.accountOptions + [Setting.pages, .origins].map(\.specification)
      + [UserAddCommand.role, printed, .json, .help],
    examples: [
      .init(
        command: "passkey-server user invite --config server.json ada@raxx.app", meaning: "mail an invitation to Ada")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try arguments.positionals.first.map(Console.email)
    let roles = Console.roles(arguments[UserAddCommand.role])
    let configuration = try ServerConfiguration(arguments)
    if let email, !arguments[printed], configuration.policy.contact.invitations == .email {
      return try mail(email, roles, arguments)
    }
    let code = try Console.open(arguments) { (store) async throws(CommandFailure) in
      if let email { try await requireNew(email, store.service) }
      let context = Console.context
      let code = try await mapError(
        async: await store.service.invite(email, roles: roles, by: .console, in: context), CommandFailure.init)
      return OneTimeCode(
        text: code.exposedText, name: email.map { .email($0) }, lifetime: store.service.policy.invitationLifetime,
        issued: context.time,
        link: configuration.pageOrigin.map { (origin) in
          SiteLinks(origin: origin).invitation(code.exposedText, for: email?.text)
        })
    }
    try Console.write(
      code, that: "creates an account for \(email?.text ?? "an address of the user's choice")",
      asJSON: arguments.asksForJSON)
  }

  /// Writes an invitation into the outbox.
  private static func mail(
    _ email: EmailAddress, _ roles: Set<Role>, _ arguments: ParsedArguments
  ) throws(CommandFailure) {
    let (expiry, lifetime) = try Console.open(arguments) { (store) async throws(CommandFailure) in
      try await requireNew(email, store.service)
      let context = Console.context
      let expiry = try await mapError(
        async: await store.service.inviteByMail(email, roles: roles, by: .console, in: context), CommandFailure.init)
      return (expiry, store.service.policy.invitationLifetime)
    }
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object) in
        object.write("user", .string(email.text))
        object.write("mailed", .bool(true))
        object.write("expiresAt", .time(expiry))
      }
    }
    Diagnostics.server.note("the server mails an invitation to \(email.text), \(Console.validity(lifetime))")
  }

  /// Throws if the address has an account: an invitation for it could never be used.
  private static func requireNew(_ email: EmailAddress, _ service: AuthService) async throws(CommandFailure) {
    do throws(ServiceError) {
      _ = try await service.account(.email(email), by: .console)
    } catch {
      guard error.code == .accountUnknown else { throw CommandFailure(error) }
      return
    }
    throw .emailTaken
  }
}

/// `passkey-server user recover NAME`
enum UserRecoverCommand: Command {
  static let specification = CommandSpecification(
    name: "user recover",
    summary: "print a code for adding a passkey to an account",
    arguments: "[OPTION…] NAME",
    discussion: [
      """
      For users who lost every passkey. Verify their identity first: the code, or the link to its page if the server has \
      pages, signs them in.
      """,
      Console.noticeParagraph, ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Console.accountOptions,
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let links = try ServerConfiguration(arguments).pageOrigin.map { SiteLinks(origin: $0) }
    let code = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let account = try await store.service.account(name, by: .console)
      let code = try await store.service.recover(account.handle, by: .console, in: context).exposedText
      return OneTimeCode(
        text: code, name: name, lifetime: store.service.policy.recoveryLifetime, issued: context.time,
        link: account.email.flatMap { (email) in links?.recovery(code, of: email.text) })
    }
    try Console.write(code, that: "creates another passkey for \(name.text)", asJSON: arguments.asksForJSON)
  }
}
