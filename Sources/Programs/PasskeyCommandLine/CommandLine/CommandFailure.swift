// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The exit codes of the programs. They are stable, because scripts depend on them.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// Success.
  case done = 0
  /// Reading or writing a file failed.
  case inputOutput = 1
  /// The command line is invalid.
  case usage = 2
  /// The server is unreachable, or its response is incomplete.
  case network = 3
  /// The server rejected the request, or no user is signed in there.
  case refusedByServer = 4
  /// The user or the authenticator declined, no terminal is available to ask the user, or nothing has the given ID.
  case refused = 5
  /// The vault cannot be opened or written.
  case vault = 6
  /// The verified artifact is invalid.
  case verificationFailed = 7
  /// The user pressed Ctrl-C at a question. It is the exit code that a shell reports for SIGINT.
  case interrupted = 130

  /// The error code of a failure that has no more specific one.
  fileprivate var errorCode: String {
    switch self {
    case .done: "command.done"
    case .inputOutput: "command.file-failed"
    case .usage: "command.invalid"
    case .network: "command.network-failed"
    case .refusedByServer: "command.refused-by-server"
    case .refused: "command.refused"
    case .vault: "command.vault-failed"
    case .verificationFailed: "command.verification-failed"
    case .interrupted: "command.interrupted"
    }
  }
}

/// An error that ends a command: a message, a hint for the next step, the exit code, and a stable error code.
package struct CommandFailure: Error, Equatable {
  package let message: String
  package let hint: String?
  package let exitCode: ExitCode

  /// The code of the error that caused the failure, such as `session.expired`; otherwise `command.…`.
  package let code: String

  private init(_ exitCode: ExitCode, _ message: String, hint: String?, code: String? = nil) {
    self.message = message
    self.hint = hint
    self.exitCode = exitCode
    self.code = code ?? exitCode.errorCode
  }

  /// Returns the failure with another hint, or none.
  package func hinting(_ hint: String?) -> Self {
    Self(exitCode, message, hint: hint, code: code)
  }

  /// Returns the failure with a more specific error code.
  package func coded(_ code: String) -> Self {
    Self(exitCode, message, hint: hint, code: code)
  }

  /// The failure as a line of JSON, which `--json` prints.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("code", .string(code))
      object.write("message", .string(message))
      object.write("hint", .text(hint))
      object.write("exitCode", .integer(exitCode.rawValue))
    } + [UInt8(ascii: "\n")]
  }

  /// The command line is invalid.
  package static func usage(_ message: String, hint: String) -> Self {
    Self(.usage, message, hint: hint)
  }

  /// Reading or writing a file failed.
  package static func inputOutput(_ message: String, hint: String? = nil) -> Self {
    Self(.inputOutput, message, hint: hint)
  }

  /// The server is unreachable, or its response is incomplete.
  package static func network(_ message: String, hint: String? = nil) -> Self {
    Self(.network, message, hint: hint)
  }

  /// The server rejected the request.
  package static func refusedByServer(_ message: String, hint: String? = nil) -> Self {
    Self(.refusedByServer, message, hint: hint)
  }

  /// The user or the authenticator declined.
  package static func refused(_ message: String, hint: String? = nil) -> Self {
    Self(.refused, message, hint: hint)
  }

  /// The vault cannot be opened or written.
  package static func vault(_ message: String, hint: String? = nil) -> Self {
    Self(.vault, message, hint: hint)
  }

  /// The verified artifact is invalid.
  package static func verificationFailed(_ message: String, hint: String? = nil) -> Self {
    Self(.verificationFailed, message, hint: hint)
  }

  /// The user pressed Ctrl-C at a question.
  package static let interrupted = Self(.interrupted, "cancelled", hint: nil)
}
