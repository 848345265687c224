// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnClient

/// A code that a user types or pastes. Its length says of which kind it is.
package enum MailCode {
  /// The code of a mail that verifies an address: 8 symbols.
  case email(String)
  /// An invitation, a recovery code, or the code that cancels a recovery: 25 symbols.
  case oneTime(String)

  /// Parses a code. Spaces and hyphens do not count.
  package init(_ text: String, of option: String) throws(CommandFailure) {
    let text = String(text.filter { !$0.isWhitespace })
    switch text.count(where: { $0 != "-" }) {
    case 8: self = .email(text)
    case 25: self = .oneTime(text)
    default:
      throw .usage(
        "\(option) has no code: \(text.quotedForTerminal)",
        hint: "the code of a mail has 8 symbols, like K7QF-M2XW; invitations and recovery codes have 25")
    }
  }
}

/// Where the code of a mail comes from: an option, a command, or the terminal.
package struct MailCodeSource: Sendable {
  /// The code that was given; nil if none was.
  package let code: MailCode?
  /// The shell command that prints the code.
  private let command: String?

  package static let codeOption = Option(
    "--code", "CODE",
    help: "the code of the mail, or an invitation or recovery code (asks at the terminal)")
  package static let commandOption = Option(
    "--code-command", "COMMAND",
    help: "get the code of the mail from the output of this shell command")

  /// The help paragraph about the command.
  package static let explanation = """
    The command of --code-command waits for the mail and prints its code. Its environment has PASSKEY_CODE_ADDRESS, the \
    address if it is known; PASSKEY_CODE_PURPOSE, which is sign-up, verification or address-change; and PASSKEY_SERVER. It \
    ends with this program.
    """

  package init(_ arguments: ParsedArguments) throws(CommandFailure) {
    code = try arguments[Self.codeOption].map { (text) throws(CommandFailure) in
      try MailCode(text, of: Self.codeOption.name)
    }
    command = arguments[Self.commandOption]
    if code != nil, command != nil {
      throw .usage("--code and --code-command cannot be combined", hint: "use only one of them")
    }
  }

  /// Whether the user can be asked again after a wrong code.
  package var canAskAgain: Bool { code == nil && command == nil }

  /// Returns the code of the mail for a verification.
  ///
  /// - Throws: `command.refused` if there is no terminal to ask at.
  package func next(
    for verification: AddressVerification, _ purpose: MailPurpose
  ) async throws(CommandFailure) -> String {
    switch code {
    case .email(let text)?: return text
    case .oneTime?:
      throw .usage("--code is not the code of a mail", hint: "the code of a mail has 8 symbols, like K7QF-M2XW")
    case nil: break
    }
    if let command {
      let printed = try await CodeCommand(command, of: Self.commandOption.name).output(for: verification, purpose)
      guard case .email(let text) = try MailCode(printed, of: Self.commandOption.name) else {
        throw .usage(
          "the output of --code-command is not the code of a mail", hint: "the code has 8 symbols, like K7QF-M2XW")
      }
      return text
    }
    return try await ask(for: verification)
  }

  private func ask(for verification: AddressVerification) async throws(CommandFailure) -> String {
    guard let terminal = Terminal() else {
      throw .refused(
        "there is no terminal to ask for the code of the mail at",
        hint: "finish with passkey email verify --code CODE")
    }
    let place = (verification.address ?? "the account's address").escapedForTerminal
    while true {
      let answer = try await Blocking.onThread { () throws(CommandFailure) in
        try terminal.ask("code from the mail to \(place): ")
      }
      guard let answer else { throw .interrupted }
      do throws(CommandFailure) {
        if case .email(let text) = try MailCode(answer, of: "the answer") { return text }
        Diagnostics.passkey.note("the code of the mail has 8 symbols, like K7QF-M2XW")
      } catch {
        Diagnostics.passkey.report(error)
      }
    }
  }
}

/// The purpose of a code, or of the command that is run.
package enum MailPurpose: String {
  case signUp = "sign-up"
  case verification
  case addressChange = "address-change"
  case invitation
  case approval
}
