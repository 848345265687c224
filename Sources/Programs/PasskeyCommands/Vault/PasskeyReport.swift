// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// Formats passkeys for output. Never includes private keys.
enum PasskeyReport {
  /// Formats a table with a header and one line per passkey.
  static func table(_ passkeys: [StoredPasskey], width: Int?) -> String {
    let head = ["ID", "RP", "USER", "ALGORITHM", "MADE", "LAST USED", "COUNTER", "BACKUP", "DISCOVERABLE"]
    let rows = passkeys.map { (passkey) in
      [
        String(passkey.id.description.prefix(10)), (passkey.relyingPartyID ?? "U2F").escapedForTerminal,
        (passkey.user?.name ?? passkey.user?.displayName ?? "-").escapedForTerminal,
        passkey.algorithm.description, day(passkey.created), passkey.lastUsed.map(day) ?? "never",
        passkey.counterPolicy == .counting ? "\(passkey.signCount)" : "-", passkey.backupSummary,
        passkey.isDiscoverable ? "yes" : "no",
      ]
    }
    return TextTable(rows: [head] + rows, width: width).text
  }

  /// Formats all details of a passkey, one line per fact.
  static func text(_ passkey: StoredPasskey) -> String {
    TextTable(rows: passkey.facts.map { (fact) in [fact.name, fact.value] }, width: nil).text
  }

  private static func day(_ time: UnixTime) -> String {
    time.rfc3339.map { (text) in String(text.prefix(10)) } ?? "?"
  }
}
