// SPDX-License-Identifier: Apache-2.0

/// Why a command ends early: one line of what is wrong, one of what to do about it, and how the program ends.
struct CommandFailure: Error, Equatable {
  let message: String
  let hint: String?
  let exitCode: ExitCode

  /// The command line was not understood.
  static func usage(_ message: String, hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: .usage)
  }

  /// A file could not be read, or output could not be written.
  static func inputOutput(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .inputOutput)
  }

  /// The user, or the device, said no.
  static func refused(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refused)
  }

  /// The vault cannot be opened or written.
  static func vault(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .vault)
  }

  /// What was to be judged is wrong.
  static func verificationFailed(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .verificationFailed)
  }
}
