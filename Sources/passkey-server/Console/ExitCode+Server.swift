// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension ExitCode {
  /// The paragraph about exit codes in the help of `passkey-server` commands.
  static let paragraph =
    "Exit codes: 0 done, 1 a file or the database cannot be used, 2 the command line or a setting is not understood, 5 it was refused, or nobody could be asked, 7 the audit trail does not hold."
}
