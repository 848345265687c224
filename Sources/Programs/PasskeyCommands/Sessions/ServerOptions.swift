// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import PasskeyProfiles
package import WebAuthnClient
package import WebAuthnTypes

/// The server of a command, from options and the environment.
package struct ServerOptions {
  package let server: ServerAddress
  package let profile: ServiceProfile
  package let http: HTTPSettings
  /// The origin of the ceremonies.
  package let origin: WebOrigin
  /// The expected RP ID; nil if none was given.
  package let relyingPartyID: RelyingPartyID?
  /// Whether sessions are stored beyond this process.
  package let keepsSessions: Bool
  /// The user name or the email address of the user; nil if not given.
  package let user: String?

  private static let server = Option(
    "--server", "URL", help: "the URL of the server, such as https://api.raxx.app ($PASSKEY_SERVER)")
  /// The routes and messages of the server.
  package static let profile = Option(
    "--profile", "raxx|yapt|aiday|PATH",
    help: "the server's profile, or a JSON file that describes its routes and messages (raxx; $PASSKEY_PROFILE)")
  fileprivate static let user = Option(
    "--user", "EMAIL", help: "the user whose session to use (the latest sign-in; $PASSKEY_USER)")
  private static let origin = Option(
    "--origin", "ORIGIN", help: "the origin of the passkeys (the server's, or that of --rp-id; $PASSKEY_ORIGIN)")
  private static let relyingPartyID = Option(
    "--rp-id", "DOMAIN", help: "the site of the passkeys, if its API has another host ($PASSKEY_RP_ID)")
  private static let noStore = Option(
    "--no-store",
    help: "keep the session in memory, and ignore stored ones (in $XDG_STATE_HOME/passkey or ~/.local/state/passkey)")

  /// The options of the commands that talk to a server.
  package static let options = optionList(describingUser: user.help)

  /// The options, with another help text of `--user`.
  package static func optionList(describingUser help: String) -> [any OptionSpecification] {
    [server, profile, user.described(help), origin, relyingPartyID] + connectionOptions + [noStore]
  }

  /// The help paragraph about the exit codes of these commands.
  package static let exitCodes = """
    Exit codes: 0 done, 1 a file cannot be read or written, 2 invalid usage, 3 the network failed, 4 refused by the \
    server, or no user is signed in, 5 refused by the user or the authenticator, nothing has the given id, or no \
    terminal to ask at, 6 the vault cannot be opened, 7 a check failed, 130 cancelled with Ctrl-C at a question.
    """

  /// The options of the connection and of the passkeys, for a command whose argument is the server's URL.
  package static let optionsBesideURL = siteOptions + connectionOptions

  /// The options that describe the site of a server.
  package static let siteOptions: [any OptionSpecification] = [profile, origin, relyingPartyID]

  /// The options that few people need: of the connection, the device and its PIN.
  package static let rareOptions =
    siteOptions + connectionOptions + [noStore] + DeviceChoice.rareOptions + TerminalClientInteraction.options

  /// Whether the command line names a server, rather than the environment.
  static func namesServer(_ arguments: ParsedArguments) -> Bool { arguments.has(server) }

  /// Reads the options. A `url` replaces `--server`.
  package init(_ arguments: ParsedArguments, url: String? = nil) throws(CommandFailure) {
    guard let address = url ?? arguments[Self.server] ?? Environment.value("PASSKEY_SERVER") else {
      throw .usage("no server given", hint: "name it with --server https://… or PASSKEY_SERVER")
    }
    server = try mapError(ServerAddress(address)) { (error: ClientError) in
      CommandFailure.usage(
        "\(url == nil ? "--server" : "the URL") cannot be \(address.quotedForTerminal)",
        hint: (error.detail ?? error.code.rawValue).escapedForTerminal)
    }
    var profile = try Self.profile(arguments[Self.profile] ?? Environment.value("PASSKEY_PROFILE") ?? "raxx")
    do throws(ProfileError) {
      try profile.readEnvironment { Environment.value($0) }
    } catch {
      throw .usage(
        "the profile \(profile.name.escapedForTerminal) needs an environment variable",
        hint: error.detail.escapedForTerminal)
    }
    self.profile = profile
    http = try Self.http(arguments)
    keepsSessions = !arguments[Self.noStore]
    user = try arguments.user ?? Environment.value("PASSKEY_USER")
    relyingPartyID = try Self.relyingPartyID(arguments[Self.relyingPartyID] ?? Environment.value("PASSKEY_RP_ID"))
    origin = try Self.origin(arguments[Self.origin] ?? Environment.value("PASSKEY_ORIGIN"), server, relyingPartyID)
  }

  private static func profile(_ name: String) throws(CommandFailure) -> ServiceProfile {
    if let profile = ServiceProfile.builtIn.first(where: { $0.name == name }) { return profile }
    guard name.contains("/") || name.contains(".") else {
      throw .usage(
        "there is no profile \(name.quotedForTerminal)",
        hint: "use raxx, yapt, aiday, or the path of a file, such as ./mine.json")
    }
    let text = try InputFile.bytes(name)
    return try mapError(ServiceProfile(json: text)) { (error: ProfileError) in
      CommandFailure.usage(
        "\(name.quotedForTerminal) is not a profile: \(error.description.escapedForTerminal)",
        hint: "passkey profile variables lists the variables of each message; Documentation/Profiles.md is a guide")
    }
  }

  private static func relyingPartyID(_ text: String?) throws(CommandFailure) -> RelyingPartyID? {
    guard let text else { return nil }
    return try mapError(RelyingPartyID(text)) { (_: FormatError) in
      CommandFailure.usage(
        "--rp-id cannot be \(text.quotedForTerminal)", hint: "use a domain in lower case, such as raxx.app")
    }
  }

  /// Derives the origin. Without an explicit origin, an RP ID selects its own site, even if the API has another host.
  /// For localhost without TLS, the origin uses the server's port.
  private static func origin(
    _ text: String?, _ server: ServerAddress, _ id: RelyingPartyID?
  ) throws(CommandFailure) -> WebOrigin {
    let site = id.map { (id) in
      let isHere = id.text == "localhost" || id.text.hasSuffix(".localhost")
      return isHere && !server.isEncrypted ? "http://\(id.text):\(server.port)" : "https://\(id.text)"
    }
    guard let text = text ?? site else { return server.origin }
    return try mapError(WebOrigin(text)) { (_: FormatError) in
      CommandFailure.usage(
        "--origin cannot be \(text.quotedForTerminal)",
        hint: "write an origin like https://raxx.app, with no path")
    }
  }
}

extension ParsedArguments {
  /// The value of `--user`; nil if the option is absent.
  package var user: String? {
    get throws(CommandFailure) {
      guard self[ServerOptions.user]?.isEmpty != true else {
        throw .usage("--user is empty", hint: "name a user, or omit --user")
      }
      return self[ServerOptions.user]
    }
  }
}
