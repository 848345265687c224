// SPDX-License-Identifier: Apache-2.0

/// Why a command ends early: one line of what is wrong, one of what to do about it, and how the program ends.
package struct CommandFailure: Error, Equatable {
  package let message: String
  package let hint: String?
  package let exitCode: ExitCode

  /// The same, with something else to do about it.
  package func hinting(_ hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: exitCode)
  }

  /// The command line was not understood.
  package static func usage(_ message: String, hint: String) -> Self {
    Self(message: message, hint: hint, exitCode: .usage)
  }

  /// A file could not be read, or output could not be written.
  package static func inputOutput(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .inputOutput)
  }

  /// The server cannot be reached, or its answer did not come whole.
  package static func network(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .network)
  }

  /// The server said no.
  package static func refusedByServer(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refusedByServer)
  }

  /// The user, or the device, said no.
  package static func refused(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .refused)
  }

  /// The vault cannot be opened or written.
  package static func vault(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .vault)
  }

  /// What was to be judged is wrong.
  package static func verificationFailed(_ message: String, hint: String? = nil) -> Self {
    Self(message: message, hint: hint, exitCode: .verificationFailed)
  }
}
