// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// The server of a command, from options and the environment.
struct ServerOptions {
  let server: ServerAddress
  let profile: ServerProfile
  let http: HTTPSettings
  /// The origin of the ceremonies.
  let origin: Origin
  /// The expected RP ID; nil if none was given.
  let relyingPartyID: RelyingPartyID?
  /// Whether sessions are stored beyond this process.
  let keepsSessions: Bool
  /// The e-mail address or name of the user; nil if not given.
  let user: String?

  /// The options of every command that talks to a server.
  static let options = [
    OptionSpecification(
      name: "--server", value: .init(name: "URL"),
      help: "where the server is, such as https://api.raxx.app ($PASSKEY_SERVER)"
    ),
    OptionSpecification(
      name: "--profile", value: .init(name: "raxx|yapt|aiday|PATH"),
      help: "whose paths, bodies and tokens it has, or a file that describes them (raxx; $PASSKEY_PROFILE)"),
    OptionSpecification(
      name: "--user", value: .init(name: "EMAIL"), help: "who is, or is to be, signed in ($PASSKEY_USER)"),
    OptionSpecification(
      name: "--origin", value: .init(name: "ORIGIN"),
      help: "the origin for which passkeys are used (the server's, or that of --rp-id; $PASSKEY_ORIGIN)"),
    OptionSpecification(
      name: "--rp-id", value: .init(name: "DOMAIN"),
      help: "the site whose passkeys are used, where its API has another host ($PASSKEY_RP_ID)"),
    OptionSpecification(
      name: "--cacert", value: .init(name: "FILE"),
      help: "trust the authorities in this file, PEM, and no others ($PASSKEY_CACERT)"),
    OptionSpecification(
      name: "--resolve", value: .init(name: "HOST:PORT:ADDRESS"), isRepeatable: true,
      help: "look this name up nowhere else, as curl does"),
    OptionSpecification(
      name: "--connect-to", value: .init(name: "HOST1:PORT1:HOST2:PORT2"), isRepeatable: true,
      help: "connect there in place of the first, as curl does ($PASSKEY_CONNECT_TO)"),
    OptionSpecification(
      name: "--proxy", value: .init(name: "URL"),
      help: "go through this proxy, as curl does ($https_proxy, $all_proxy; $no_proxy names what goes through none)"),
    OptionSpecification(
      name: "--connect-timeout", value: .init(name: "SECONDS"), help: "how long a connection may take (10)"),
    OptionSpecification(name: "--max-time", value: .init(name: "SECONDS"), help: "how long a reply may take (30)"),
    OptionSpecification(
      name: "--no-store",
      help:
        "keep the session in memory, and read none that was kept (in $XDG_STATE_HOME/passkey or ~/.local/state/passkey)"
    ),
    OptionSpecification(
      name: "--json",
      help: "print one object, for programs; lines for people are cut where the terminal, or $COLUMNS, ends"),
  ]

  /// The help paragraph about the exit codes of these commands.
  static let exitCodes = """
    Exit codes: 0 done, 1 a file cannot be read or written, 2 the command line is not understood, 3 the network, 4 the \
    server refused, 5 the user or the authenticator refused, or nobody could be asked, 6 the vault, 7 a check failed.
    """

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let address = arguments["--server"] ?? Environment.value("PASSKEY_SERVER") else {
      throw .usage("no server is named", hint: "name it with --server https://…, or in PASSKEY_SERVER")
    }
    do throws(ClientError) {
      server = try ServerAddress(address)
    } catch {
      throw .usage(
        "--server cannot be \(address.quotedForTerminal)",
        hint: (error.detail ?? error.code.rawValue).escapedForTerminal)
    }
    profile = try Self.profile(arguments["--profile"] ?? Environment.value("PASSKEY_PROFILE") ?? "raxx")
    http = try Self.http(arguments)
    keepsSessions = !arguments.has("--no-store")
    user = arguments["--user"] ?? Environment.value("PASSKEY_USER")
    relyingPartyID = try Self.relyingPartyID(arguments["--rp-id"] ?? Environment.value("PASSKEY_RP_ID"))
    origin = try Self.origin(arguments["--origin"] ?? Environment.value("PASSKEY_ORIGIN"), server, relyingPartyID)
  }

  private static func profile(_ name: String) throws(CommandFailure) -> ServerProfile {
    switch name {
    case "raxx": return .raxx
    case "yapt": return .yapt
    case "aiday": return .aiday
    default: break
    }
    guard name.contains("/") || name.contains(".") else {
      throw .usage(
        "there is no profile \(name.quotedForTerminal)",
        hint: "it is raxx, yapt, aiday, or the path of a file, such as ./mine.json")
    }
    let text = try InputFile.bytes(name)
    do throws(ClientError) {
      return try ServerProfile(json: text[...])
    } catch {
      throw .usage(
        "\(name.quotedForTerminal) is no profile: \((error.detail ?? error.code.rawValue).escapedForTerminal)",
        hint: "passkey help sign-in says where profiles are described")
    }
  }

  private static func relyingPartyID(_ text: String?) throws(CommandFailure) -> RelyingPartyID? {
    guard let text else { return nil }
    do throws(FormatError) {
      return try RelyingPartyID(text)
    } catch {
      throw .usage(
        "--rp-id cannot be \(text.quotedForTerminal)", hint: "use a domain in lower case, such as raxx.app")
    }
  }

  /// Derives the origin. Without an explicit origin, an RP ID selects its own site, even if the API has another host.
  /// For localhost without TLS, the origin uses the server's port.
  private static func origin(
    _ text: String?, _ server: ServerAddress, _ id: RelyingPartyID?
  ) throws(CommandFailure) -> Origin {
    let site = id.map { (id) in
      let isHere = id.text == "localhost" || id.text.hasSuffix(".localhost")
      return isHere && !server.isEncrypted ? "http://\(id.text):\(server.port)" : "https://\(id.text)"
    }
    guard let text = text ?? site else { return server.origin }
    do throws(FormatError) {
      return try Origin(text)
    } catch {
      throw .usage(
        "--origin cannot be \(text.quotedForTerminal)",
        hint: "write an origin like https://raxx.app, with no path")
    }
  }
}
