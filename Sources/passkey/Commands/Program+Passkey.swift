// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension Program {
  /// The program `passkey`.
  static let passkey = Program(
    name: "passkey", summary: "passkeys from a shell",
    entries: [
      .command(InspectCommand.self), .command(VerifyCommand.self), .group(.metadata), .group(.vectors),
      .command(AuthenticatorCommand.self), .group(.keys), .command(CreateCommand.self), .command(GetCommand.self),
    ])
}

extension Diagnostics {
  /// What `passkey` tells people besides the data.
  static let passkey = Diagnostics(program: Program.passkey.name)
}
