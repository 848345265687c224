// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

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
        passkey.counterPolicy == .counting ? "\(passkey.signCount)" : "-", backup(passkey),
        passkey.isDiscoverable ? "yes" : "no",
      ]
    }
    return TextTable(rows: [head] + rows, width: width).text
  }

  /// Formats all details of a passkey, one line per fact.
  static func text(_ passkey: StoredPasskey) -> String {
    let facts: [(String, String?)] = [
      ("id", passkey.id.description),
      ("relying party", passkey.relyingPartyID?.escapedForTerminal ?? "only its hash is known (U2F)"),
      ("its name", passkey.relyingPartyName?.escapedForTerminal),
      ("user", passkey.user?.name?.escapedForTerminal),
      ("display name", passkey.user?.displayName?.escapedForTerminal),
      ("user handle", passkey.user.map { (user) in user.id.description }),
      ("algorithm", passkey.algorithm.description),
      ("discoverable", passkey.isDiscoverable ? "yes" : "no"),
      ("protection", protection(passkey)),
      ("backup", backup(passkey)),
      ("counter", passkey.counterPolicy == .counting ? "\(passkey.signCount)" : "does not count"),
      ("model", passkey.aaguid.description),
      ("prf", passkey.extensionSecrets == nil ? "after its next use" : "yes"),
      ("blob", passkey.blob.map { (blob) in "\(blob.count) bytes" }),
      ("large blob", passkey.largeBlobKey == nil ? "no" : "has a key"),
      ("payments", passkey.allowsThirdPartyPayment ? "by third parties too" : nil),
      ("made", passkey.created.rfc3339),
      ("last used", passkey.lastUsed?.rfc3339 ?? "never"),
    ]
    return TextTable(rows: facts.compactMap { (name, fact) in fact.map { [name, $0] } }, width: nil).text
  }

  /// Formats a passkey as one line of JSON.
  static func json(_ passkey: StoredPasskey) -> String {
    let bytes = JSON.writeObject { (object) in
      object.write("id", .base64URL(passkey.id.bytes))
      object.write("rpId", passkey.relyingPartyID.map { (id) in .string(id) } ?? .null)
      if let user = passkey.user {
        object.write("userHandle", .base64URL(user.id.bytes))
        object.write("user", .text(user.name))
        object.write("displayName", .text(user.displayName))
      }
      object.write("algorithm", .integer(passkey.algorithm.rawValue))
      object.write("discoverable", .bool(passkey.isDiscoverable))
      object.write("credProtect", .integer(passkey.protection.rawValue))
      object.write("backupEligible", .bool(passkey.isBackupEligible))
      object.write("backedUp", .bool(passkey.isBackedUp))
      object.write("counts", .bool(passkey.counterPolicy == .counting))
      object.write("signCount", .integer(passkey.signCount))
      object.write("aaguid", .string(passkey.aaguid.description))
      object.write("createdAt", .time(passkey.created))
      object.write("lastUsedAt", .time(passkey.lastUsed))
    }
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  private static func day(_ time: Timestamp) -> String {
    time.rfc3339.map { (text) in String(text.prefix(10)) } ?? "?"
  }

  private static func backup(_ passkey: StoredPasskey) -> String {
    switch (passkey.isBackupEligible, passkey.isBackedUp) {
    case (true, true): "backed up"
    case (true, false): "possible"
    case (false, _): "bound"
    }
  }

  private static func protection(_ passkey: StoredPasskey) -> String {
    switch passkey.protection {
    case .userVerificationOptional: "none"
    case .userVerificationOptionalWithCredentialIDList: "when named by its id, or after user verification"
    case .userVerificationRequired: "after user verification only"
    }
  }
}
