// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension Program {
  /// The program `passkey`.
  static let passkey = Program(
    name: "passkey", summary: "create, use and inspect passkeys from a shell",
    entries: [
      .command(RegisterCommand.self), .command(SignInCommand.self), .command(WhoAmICommand.self),
      .command(RequestCommand.self), .command(StepUpCommand.self), .command(SessionsCommand.self),
      .command(SignOutCommand.self), .command(SessionCommand.self), .command(DoctorCommand.self),
      .command(CreateCommand.self), .command(GetCommand.self),
      .command(InspectCommand.self), .command(VerifyCommand.self), .group(.metadata), .group(.vectors),
      .command(AuthenticatorCommand.self), .group(.keys), .group(.agent),
    ])
}

extension Diagnostics {
  /// The diagnostic messages of `passkey`.
  static let passkey = Diagnostics(program: Program.passkey.name)
}
