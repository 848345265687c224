// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine

extension Program {
  /// The program `passkey-server`.
  static let passkeyServer = Program(
    name: "passkey-server", summary: "an account and sign-in server for passkeys",
    sections: [
      Section(
        "serve", [.command(ServeCommand.self), .command(DeliverCommand.self), .command(ReadyCommand.self)]),
      Section(
        "set up and keep",
        [
          .command(InitCommand.self), .group(.configuration), .command(RenewDecoysCommand.self),
          .command(BackupCommand.self),
        ]),
      Section(
        "administer",
        [.group(.user), .group(.attestation), .group(.audit), .group(.mail), .group(.outbox), .group(.pages)]),
    ],
    standardCommand: ServeCommand.self)
}

extension Diagnostics {
  /// The diagnostics of `passkey-server` on standard error.
  static let server = Diagnostics(program: Program.passkeyServer.name)
}

extension CommandGroup {
  static let user = Self(
    name: "user", summary: "manage accounts from the console",
    discussion: [
      """
      These commands need write access to the database, and no sign-in. The audit trail records that the console \
      acted. Changes apply to a running server at once.
      """
    ],
    members: [
      UserListCommand.self, UserAddCommand.self, UserApproveCommand.self, UserRejectCommand.self,
      UserDisableCommand.self,
      UserEnableCommand.self, UserRolesCommand.self, UserInviteCommand.self, UserRecoverCommand.self,
      UserSignOutCommand.self, UserPasskeysCommand.self, UserRemovePasskeyCommand.self,
      UserExportCommand.self, UserEraseCommand.self,
    ])
}

extension CommandGroup {
  static let pages = Self(
    name: "pages", summary: "write the files of the web pages", discussion: [], members: [PagesExportCommand.self])
}

extension CommandGroup {
  static let outbox = Self(
    name: "outbox", summary: "list, retry or delete notices that wait for their delivery",
    discussion: [
      """
      The server writes a notice for each event that a destination wants, such as a webhook or mail. A notice that was \
      refused, or failed too often, becomes a dead letter and stays until it is retried or dropped.
      """
    ],
    members: [OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self, OutboxDropCommand.self])
}

extension CommandGroup {
  static let audit = Self(
    name: "audit", summary: "verify, show or prove the audit trail",
    discussion: [
      """
      The trail is a transparency log: a Merkle tree with signed checkpoints. A proof of a few hundred bytes shows that the \
      log has a record, and anyone with the key of audit key can verify it offline. audit verify detects every change by \
      an attacker who does not have the key, with two exceptions: the database was replaced by an older copy together \
      with the checkpoint beside the secret, or records of the last second were removed. To detect such a copy, compare \
      with a checkpoint that was kept elsewhere: give it with --checkpoint, or the audit log with --log.
      """
    ],
    members: [
      AuditVerifyCommand.self, AuditShowCommand.self, AuditProveCommand.self, AuditKeyCommand.self,
      AuditCheckpointCommand.self, AuditBeginCommand.self,
    ])
}
