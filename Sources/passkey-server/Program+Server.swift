// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension Program {
  /// The program `passkey-server`.
  static let passkeyServer = Program(
    name: "passkey-server", summary: "an account and sign-in server for passkeys",
    entries: [
      .command(ServeCommand.self), .command(InitCommand.self), .group(.configuration), .command(MigrateCommand.self),
      .group(.user), .group(.audit), .command(BackupCommand.self),
    ],
    standardCommand: ServeCommand.self)
}

extension Diagnostics {
  /// The diagnostics of `passkey-server` on standard error.
  static let server = Diagnostics(program: Program.passkeyServer.name)
}
