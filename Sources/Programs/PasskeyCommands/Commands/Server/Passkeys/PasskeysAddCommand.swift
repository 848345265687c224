// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey passkeys add`
enum PasskeysAddCommand: ServerCommand {
  private static let vault = Option(
    "--to-vault", "FILE", help: "create the passkey in this vault, which is created if it is missing")
  private static let device = Option(
    "--to-device", "COMMAND|unix:PATH", help: "create the passkey on this device, given as for --device")
  private static let name = Option("--name", "NAME", help: "the passkey's name at the server")

  static let specification = CommandSpecification(
    name: "passkeys add",
    summary: "add a passkey on another device to your account at a server",
    arguments: "[OPTION…] --server URL --to-vault FILE",
    discussion: [
      """
      Confirms the addition with a passkey of --vault or --device if the server requires it, and creates the new passkey on \
      another device. A device that has one of the account's passkeys refuses to create another one. The passphrase options \
      apply to both vaults.
      """,
      """
      If the server refuses the new passkey, it is deleted again. If the outcome is unknown, it stays.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [vault, device, name] + ServerOptions.options + DeviceChoice.options + TerminalClientInteraction.options
      + [.json, .help],
    rareOptions: ServerOptions.rareOptions + [device, name],
    examples: [
      .init(
        command: "passkey passkeys add --server https://raxx.app --to-vault backup.vault --name backup",
        meaning: "add a passkey in another vault")
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let choice = try choice(arguments)
    let name = arguments[Self.name]
    // Fail before a device is opened, if there is no session.
    _ = try await server.session()
    let other = server.device(choice)
    try other.opener.prepare(creatingVault: true)
    if server.options.profile.confirms(.addCredentialOptions) { try server.opener.open() }
    let added = try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      do throws(ClientError) {
        return try await handshake.addPasskey(on: other.client, name: name, in: &session)
      } catch {
        if let note = other.authenticator.undoRegistration(after: error) { Diagnostics.passkey.note(note) }
        throw error
      }
    }
    var report = Report(asJSON: arguments.asksForJSON)
    report.add("added", added.credential.description, as: "id")
    try report.write()
  }

  private static func choice(_ arguments: ParsedArguments) throws(CommandFailure) -> DeviceChoice {
    switch (arguments[vault], arguments[device]) {
    case (let path?, nil): return try DeviceChoice(arguments, vault: path)
    case (nil, let name?): return try DeviceChoice(arguments, external: name)
    case (nil, nil):
      throw .usage("passkeys add needs another device", hint: "name it with --to-vault or --to-device")
    default: throw .usage("--to-vault and --to-device cannot be combined", hint: "choose one")
    }
  }
}
