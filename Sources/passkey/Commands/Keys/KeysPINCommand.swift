// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// `passkey keys pin set|change`
enum KeysPINCommand: Command {
  static let specification = CommandSpecification(
    name: "keys pin",
    summary: "set or change the PIN of a vault's device",
    arguments: "[OPTION…] set|change",
    discussion: [
      """
      The PIN is typed at the terminal, or read from a file; it has 4 to 63 characters. A PIN that was blocked may be tried \
      again when it was changed. Passkeys stay as they are. Once there is a PIN it is what verifies the user, and no longer \
      the yes of whoever opens the vault.
      """,
      OwnedVault.exitCodes,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(name: "--pin-file", value: .init(name: "FILE"), help: "the new PIN is this file's first line")
    ] + VaultLocation.options + [.help],
    examples: [.init(command: "passkey keys pin set", meaning: "give the device a PIN")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let verb = arguments.positionals.first ?? ""
    guard ["set", "change"].contains(verb) else {
      throw .usage("keys pin cannot \(verb.quotedForTerminal)", hint: "it can set or change")
    }
    let vault = try OwnedVault(arguments)
    let hasPIN = try vault.perform { (owner) throws(CTAPError) in try owner.hasPIN() }
    switch (verb, hasPIN) {
    case ("set", true): throw .refused("there is a PIN already", hint: "passkey keys pin change sets another")
    case ("change", false): throw .refused("there is no PIN yet", hint: "passkey keys pin set sets one")
    default: break
    }
    let pin = try Passphrase.newPIN(arguments)
    try vault.perform(refusing: Self.refusal) { (owner) throws(CTAPError) in try owner.setPIN(pin) }
    try Output.write("the PIN is \(hasPIN ? "changed" : "set")\n")
  }

  /// Explains a rejected PIN. The device's detail text uses the specification's terms.
  private static func refusal(_ error: CTAPError) -> CommandFailure? {
    guard error.status == .pinPolicyViolation, let detail = error.detail else { return nil }
    return .refused(
      "that PIN will not do: \(detail.replacing("code points", with: "characters").escapedForTerminal)",
      hint: "passkey help keys pin says what it has to be like")
  }
}
