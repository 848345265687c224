// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension ExitCode {
  /// The paragraph about exit codes in the help of `passkey-server` commands.
  static let paragraph =
    """
    Exit codes: 0 done, 1 a file or the database cannot be used, 2 invalid usage or setting, 5 refused, or no terminal \
    to ask at, 7 the audit trail is invalid.
    """
}
