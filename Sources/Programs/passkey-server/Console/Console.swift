// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyPages
internal import PasskeyService
internal import PasskeySystem

/// The console: administration of the store without a session and with all rights.
enum Console {
  /// Opens the store that the settings name, calls `body` with its service, and closes it.
  static func use<Answer: Sendable>(
    _ arguments: ParsedArguments, for use: StoreUse = .administering,
    _ body: @escaping @Sendable (OpenStore, CallContext) async throws(ServiceError) -> Answer
  ) throws(CommandFailure) -> Answer {
    try open(arguments, for: use) { (store) async throws(CommandFailure) in
      try await mapError(async: await body(store, context), CommandFailure.init)
    }
  }

  /// Opens the store that the settings name, calls `body`, and closes the store even if `body` throws. Unless the command
  /// only reads, its records get their places in the transparency log before it returns, even if no server runs. If there are
  /// witnesses, only a server appends records, because it asks them first.
  static func open<Answer: Sendable>(
    _ arguments: ParsedArguments, for use: StoreUse = .administering,
    _ body: @escaping @Sendable (OpenStore) async throws(CommandFailure) -> Answer
  ) throws(CommandFailure) -> Answer {
    let configuration = try ServerConfiguration(arguments)
    return try Blocking.wait { () async throws(CommandFailure) in
      let store = try await OpenStore.open(configuration, for: use)
      do throws(CommandFailure) {
        let answer = try await body(store)
        if use == .administering || use == .creating, configuration.auditWitnesses.isEmpty {
          let witnesses = RunningWitnesses([], store.storage)
          await RunningSequencer(store, secretPath: configuration.secretPath, witnesses, isServer: false).sequence()
        }
        await store.close()
        return answer
      } catch {
        await store.close()
        throw error
      }
    }
  }

  /// The context that audit records of console commands carry.
  static var context: CallContext { CallContext(time: Clock.now, requestID: "console") }

  /// The paragraph about notices in the help of commands that change an account.
  static let noticeParagraph =
    """
    The change is reported to the destinations of --mail and --deliveries, or to those in the file of --config. Give the \
    same as the server: without any, no notice is written.
    """

  /// Creates an account, and returns the code of its first passkey.
  static func createAccount(
    _ names: AccountNames, roles: Set<Role>, in store: OpenStore, _ context: CallContext, pagesAt origin: String?
  ) async throws(ServiceError) -> OneTimeCode {
    let (_, code) = try await store.service.createAccount(names, roles: roles, by: .console, in: context)
    let text = code.exposedText
    return OneTimeCode(
      text: text, name: names.primary, lifetime: store.service.policy.recoveryLifetime, issued: context.time,
      link: origin.map { SiteLinks(origin: $0).invitation(text, for: names.email?.text) })
  }

  /// Prints a one-time code, or the link to its page, to standard output, and its purpose and lifetime to standard error.
  static func write(_ code: OneTimeCode, that purpose: String, asJSON: Bool) throws(CommandFailure) {
    if asJSON { return try Output.writeObject(code.write) }
    let kind = code.link == nil ? "code" : "link"
    Diagnostics.server.note("a \(kind) that \(purpose), \(validity(code.lifetime)):")
    try Output.write("\(code.link ?? code.text)\n")
  }

  /// Returns how long a one-time code is valid, such as "valid once and for 7 days".
  static func validity(_ lifetime: Duration) -> String {
    let hours = lifetime.components.seconds / 3600
    let time = hours >= 48 && hours.isMultiple(of: 24) ? "\(hours / 24) days" : "\(hours) hours"
    return "valid once and for \(time)"
  }

  /// Parses an email address argument.
  static func email(_ text: String) throws(CommandFailure) -> EmailAddress {
    try mapError(EmailAddress(text)) { (_: ServiceError) in
      CommandFailure.usage("invalid email address \(text.quotedForTerminal)", hint: "write it like ada@example.org")
    }
  }

  /// Parses the name of an account: the email address or the user name, whichever the server's profile accepts.
  static func name(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure) -> AccountName {
    let policy = try ServerConfiguration(arguments).policy.identifiers
    do throws(ServiceError) {
      return try AccountName(text, by: policy)
    } catch {
      guard error.code == .usernameInvalid else { return .email(try email(text)) }
      throw .usage("invalid user name \(text.quotedForTerminal)", hint: error.detail ?? "1 to 64 characters")
    }
  }

  /// Parses the first argument, the name of an account.
  static func name(_ arguments: ParsedArguments) throws(CommandFailure) -> AccountName {
    try name(arguments.positionals[0], arguments)
  }

  /// The options of a command about one account.
  static let accountOptions: [any OptionSpecification] = Setting.accountOptions + [.json, .help]

  /// Returns the names of a new account. With both an address and a user name, `username` is the latter.
  static func names(
    _ name: AccountName, username: String?, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> AccountNames {
    guard let username else {
      let policy = try ServerConfiguration(arguments).policy.identifiers
      guard policy.username == .required, policy.email == .required else { return AccountNames(name) }
      throw .usage(
        "accounts of this profile have an email address and a user name",
        hint: "give the address, and the user name with \(UserAddCommand.username.name)")
    }
    guard try ServerConfiguration(arguments).policy.identifiers.username != .refused else {
      throw .usage("accounts of this profile have no user name", hint: "omit --username")
    }
    guard case .email(let email) = name else {
      throw .usage("--username needs an email address beside it", hint: "omit --username")
    }
    return try mapError(AccountNames(username: Username(username), email: email)) { (error: ServiceError) in
      CommandFailure.usage(
        "invalid user name \(username.quotedForTerminal)", hint: error.detail ?? "1 to 64 characters")
    }
  }

  /// Returns the beginning of an ID, enough to tell it from others on the screen.
  static func short(_ name: (some CustomStringConvertible)?) -> String {
    guard let name else { return "-" }
    let text = name.description
    return text.count > 20 ? text.prefix(19) + "…" : text
  }

  /// Prints an account as a JSON object, with whether mail can recover it if that is known.
  static func write(_ account: Account, lacksRecovery: Bool? = nil) throws(CommandFailure) {
    try Output.writeObject { (object) in
      object.write("id", .string("\(account.handle)"))
      object.write("user", .string(account.name))
      object.write("email", .text(account.email?.text))
      object.write("state", .string(account.state.rawValue))
      object.writeArray("roles") { (roles) in
        for role in account.roles.map(\.rawValue).sorted() { roles.write(.string(role)) }
      }
      object.write("createdAt", .time(account.created))
      object.write("emailVerifiedAt", .time(account.emailVerified))
      if let lacksRecovery { object.write("lacksRecovery", .bool(lacksRecovery)) }
    }
  }

  /// Returns the roles named in the arguments. The service validates them.
  static func roles(_ names: some Sequence<String>) -> Set<Role> {
    Set(names.map { Role(rawValue: $0) })
  }
}

/// A one-time code and how long it is valid.
struct OneTimeCode: Sendable {
  let text: String
  /// The name of the account; `nil` if the owner of the code chooses it.
  let name: AccountName?
  let lifetime: Duration
  let issued: UnixTime
  /// The page on which the code is entered; nil without pages.
  var link: String?

  func write(to object: inout JSONObjectWriter) {
    object.write("user", .text(name?.text))
    object.write("oneTimeCode", .string(text))
    if let link { object.write("link", .string(link)) }
    object.write("expiresAt", .time(issued + lifetime))
  }
}

extension ExitCode {
  /// The paragraph about exit codes in the help of `passkey-server` commands.
  static let paragraph =
    """
    Exit codes: 0 done, 1 a file or the database cannot be used, 2 invalid usage or setting, 5 refused, or no terminal \
    to ask at, 7 the audit trail is invalid, 130 cancelled with Ctrl-C at a question.
    """
}
