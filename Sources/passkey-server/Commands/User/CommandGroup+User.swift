// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  static let user = Self(
    name: "user", summary: "look after accounts from the console",
    discussion: [
      "Whoever can open the database may do everything here, without a sign-in; the audit trail says that the console did it. While a server runs, the changes hold at once."
    ],
    members: [
      UserListCommand.self, UserAddCommand.self, UserApproveCommand.self, UserDisableCommand.self,
      UserEnableCommand.self, UserRolesCommand.self, UserInviteCommand.self, UserRecoverCommand.self,
      UserSignOutCommand.self, UserPasskeysCommand.self, UserRemovePasskeyCommand.self,
      UserExportCommand.self, UserEraseCommand.self,
    ])
}
