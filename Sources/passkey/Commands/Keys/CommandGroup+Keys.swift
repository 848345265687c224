// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey keys`
  static let keys = Self(
    name: "keys",
    summary: "look after the passkeys in a vault",
    discussion: [
      """
      Whoever has a vault's passphrase owns what is in it, and needs no PIN. A passkey is named by the beginning of its id, \
      as far as only one begins so.
      """
    ],
    members: [
      KeysListCommand.self, KeysShowCommand.self, KeysRenameCommand.self, KeysDeleteCommand.self,
      KeysImportCommand.self, KeysExportCommand.self, KeysPINCommand.self, KeysPassphraseCommand.self,
      KeysResetCommand.self,
    ])
}
