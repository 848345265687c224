// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
internal import Glibc
package import PasskeyCommandLine
package import PasskeyCrypto
internal import PasskeyFormats
package import PasskeySystem
package import WebAuthnAuthenticator
internal import WebAuthnClient
package import WebAuthnTypes

/// Answers the client's questions to the user from options or the environment, or otherwise from the terminal.
package struct TerminalClientInteraction: ClientInteraction {
  private let knownPIN: SecretBytes?
  private let userName: String?
  private let found: @Sendable () -> [CredentialRecorder.Found]

  package static let variable = "PASSKEY_PIN"

  /// The file with the PIN.
  package static let pinFile = Option(
    "--pin-file", "FILE",
    help: "read the device's PIN from this file's first line ($\(variable) contains the PIN itself)")

  /// The PIN options of every command that may need a PIN. The PIN itself is never passed on the command line.
  package static let options: [any OptionSpecification] = [pinFile]

  /// The help paragraph about how the user is verified.
  package static let ownersYes = """
    The vault's passphrase and a yes at the terminal verify the user. Once the device has a PIN (passkey keys pin \
    set), it asks for the PIN instead whenever the server requires user verification.
    """

  /// Creates the interaction. `userName` selects among several passkeys, by name or by user handle if the device does
  /// not reveal names. `found` returns the passkeys that the device found last, in its order.
  package init(
    knownPIN: SecretBytes?, userName: String?, found: @escaping @Sendable () -> [CredentialRecorder.Found]
  ) {
    self.knownPIN = knownPIN
    self.userName = userName
    self.found = found
  }

  /// Reads the PIN from the option's file or the environment. Returns nil if neither gives it.
  package static func knownPIN(_ arguments: ParsedArguments) throws(CommandFailure) -> SecretBytes? {
    if let file = arguments[pinFile] { return try Passphrase.firstLine(of: file) }
    return unsafe getenv(variable).map { (value) in unsafe SecretBytes(utf8: String(cString: value)) }
  }

  package func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? {
    if let knownPIN { return knownPIN }
    let left = attemptsLeft.map { (count) in " (\(count) attempt\(count == 1 ? "" : "s") left)" } ?? ""
    return await SystemThread.run { () -> SecretBytes? in
      Self.untilInterrupted { () throws(CommandFailure) in
        try Terminal()?.askSecretly("PIN of the device, for \(relyingParty)\(left): ")
      }
    } ?? nil
  }

  package func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? {
    if let userName {
      return users.firstIndex { (user) in user.name == userName }
        ?? users.firstIndex { (user) in
          user.id.description == userName
        }
    }
    let rows = rows(users)
    return await SystemThread.run { () -> Int? in
      guard let terminal = Terminal() else { return nil }
      terminal.write("passkey: there are \(users.count) passkeys for \(relyingParty):\n")
      terminal.write(TextTable(rows: rows, width: nil).text)
      return Self.untilInterrupted { () throws(CommandFailure) in try Self.number(upTo: users.count, from: terminal) }
    } ?? nil
  }

  // 3  [as for a passphrase]
  private static let attempts = 3

  /// Asks for a number from 1 to `count`, up to three times, and until `cancellation` is ready for reading. Returns the
  /// index; nil without a valid answer.
  package static func number(
    upTo count: Int, from terminal: Terminal, cancelledBy cancellation: FileDescriptor? = nil
  ) throws(CommandFailure) -> Int? {
    for _ in 1...attempts {
      guard let answer = try terminal.ask("which one? [1-\(count)] ", cancelledBy: cancellation) else { return nil }
      if let number = Int(answer), 1...count ~= number { return number - 1 }
      terminal.write("Type a number from 1 to \(count).\n")
    }
    return nil
  }

  /// Returns the answer to a question; nil on Ctrl-C, which also cancels the ceremony.
  private static func untilInterrupted<Answer>(_ ask: () throws(CommandFailure) -> Answer?) -> Answer? {
    do throws(CommandFailure) {
      return try ask()
    } catch {
      Interruption.record()
      return nil
    }
  }

  /// Returns the rows of the passkey menu: the user, and the credential ID and creation time because two users may
  /// share a name.
  private func rows(_ users: [PasskeyUser]) -> [[String]] {
    let found = found()
    return users.enumerated().map { (index, user) in
      let row = ["  \(index + 1)", user.label]
      guard found.count == users.count else { return row }
      let passkey = found[index]
      return row + [String(passkey.id.description.prefix(10)), passkey.created?.rfc3339.map { "made \($0)" } ?? ""]
    }
  }
}

extension PasskeyUser {
  /// The account's name as shown to the user, or its user handle if the device does not reveal names.
  package var label: String {
    switch (name, displayName) {
    case (let name?, let displayName?) where !displayName.isEmpty && displayName != name:
      "\(name) (\(displayName))".escapedForTerminal
    case (let name?, _): name.escapedForTerminal
    case (nil, let displayName?): displayName.escapedForTerminal
    case (nil, nil): id.description
    }
  }
}
