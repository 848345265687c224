// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey keys`
  static let keys = Self(
    name: "keys",
    summary: "manage the passkeys in a vault",
    discussion: [
      """
      These commands need the vault's passphrase, not the device's PIN. ID is the beginning of a passkey's id; it must \
      match one passkey only.
      """
    ],
    members: [
      KeysListCommand.self, KeysShowCommand.self, KeysRenameCommand.self, KeysDeleteCommand.self,
      KeysImportCommand.self, KeysExportCommand.self, KeysPINCommand.self, KeysPassphraseCommand.self,
      KeysResetCommand.self,
    ])
}
