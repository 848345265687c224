// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// `passkey keys pin set|change`
enum KeysPINCommand: Command {
  private static let pinFile = Option("--pin-file", "FILE", help: "read the new PIN from this file's first line")

  static let specification = CommandSpecification(
    name: "keys pin",
    summary: "set or change the PIN of a vault's device",
    arguments: "[OPTION…] set|change",
    discussion: [
      """
      Reads the PIN from the terminal or from a file. It has at least 4 characters, and at most 63 bytes in UTF-8. \
      Changing a blocked PIN unblocks it. Passkeys are not changed. Once a PIN is set, the device verifies its user \
      with the PIN instead of a yes at the terminal.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [pinFile] + VaultLocation.options + [.json, .help],
    examples: [.init(command: "passkey keys pin set", meaning: "set the device's first PIN")])

  private enum Act: String {
    case set, change
  }

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let verb = arguments.positionals[0]
    guard let act = Act(rawValue: verb) else {
      throw .usage("unknown action \(verb.quotedForTerminal)", hint: "use set or change")
    }
    let vault = try OwnedVault(VaultLocation(arguments))
    let hasPIN = try vault.perform { (owner) throws(CTAPError) in try owner.hasPIN() }
    switch (act, hasPIN) {
    case (.set, true): throw .refused("the device already has a PIN", hint: "change it with passkey keys pin change")
    case (.change, false): throw .refused("the device has no PIN", hint: "set one with passkey keys pin set")
    default: break
    }
    let pin = try Passphrase.newPIN(file: arguments[pinFile])
    try vault.perform(refusing: Self.refusal) { (owner) throws(CTAPError) in try owner.setPIN(pin) }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("changed", .bool(hasPIN)) } }
    try Output.write("the PIN is \(hasPIN ? "changed" : "set")\n")
  }

  /// Explains a rejected PIN. The device's detail text uses the specification's terms.
  private static func refusal(_ error: CTAPError) -> CommandFailure? {
    guard error.status == .pinPolicyViolation, let detail = error.detail else { return nil }
    return .refused(
      "invalid PIN: \(detail.replacing("code points", with: "characters").escapedForTerminal)",
      hint: "passkey help keys pin describes a valid PIN")
  }
}
