// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

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
      UserListCommand.self, UserAddCommand.self, UserApproveCommand.self, UserDisableCommand.self,
      UserEnableCommand.self, UserRolesCommand.self, UserInviteCommand.self, UserRecoverCommand.self,
      UserSignOutCommand.self, UserPasskeysCommand.self, UserRemovePasskeyCommand.self,
      UserExportCommand.self, UserEraseCommand.self,
    ])
}
