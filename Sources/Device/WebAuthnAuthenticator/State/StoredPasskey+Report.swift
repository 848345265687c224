// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnTypes

// Reports about a passkey. They never include its private key.

extension StoredPasskey {
  /// All details, for the user.
  package var facts: [(name: String, value: String)] {
    let facts: [(String, String?)] = [
      ("id", id.description),
      ("relying party", relyingPartyID?.escapedForTerminal ?? "only its hash is known (U2F)"),
      ("its name", relyingPartyName?.escapedForTerminal),
      ("user", user?.name?.escapedForTerminal),
      ("display name", user?.displayName?.escapedForTerminal),
      ("user handle", user.map { (user) in user.id.description }),
      ("algorithm", algorithm.description),
      ("discoverable", isDiscoverable ? "yes" : "no"),
      ("protection", protectionSummary),
      ("backup", backupSummary),
      ("counter", counterPolicy == .counting ? "\(signCount)" : "does not count"),
      ("model", aaguid.description),
      ("prf", extensionSecrets == nil ? "after its next use" : "yes"),
      ("blob", blob.map { (blob) in "\(blob.count) bytes" }),
      ("large blob", largeBlobKey == nil ? "no" : "has a key"),
      ("payments", allowsThirdPartyPayment ? "by third parties too" : nil),
      ("made", created.rfc3339),
      ("last used", lastUsed?.rfc3339 ?? "never"),
    ]
    return facts.compactMap { (name, value) in value.map { (name, $0) } }
  }

  /// The details as one JSON object.
  package var json: [UInt8] {
    JSON.writeObject { (object) in
      object.write("id", .base64URL(id.bytes))
      object.write("rpId", relyingPartyID.map { (id) in .string(id) } ?? .null)
      if let user {
        object.write("userHandle", .base64URL(user.id.bytes))
        object.write("user", Self.text(user.name))
        object.write("displayName", Self.text(user.displayName))
      }
      object.write("algorithm", .integer(algorithm.rawValue))
      object.write("discoverable", .bool(isDiscoverable))
      object.write("credProtect", .integer(protection.rawValue))
      object.write("backupEligible", .bool(isBackupEligible))
      object.write("backedUp", .bool(isBackedUp))
      object.write("counts", .bool(counterPolicy == .counting))
      object.write("signCount", .integer(signCount))
      object.write("aaguid", .string(aaguid.description))
      object.write("createdAt", Self.text(created.rfc3339))
      object.write("lastUsedAt", Self.text(lastUsed?.rfc3339))
    }
  }

  private static func text(_ text: String?) -> JSONFragment { text.map { .string($0) } ?? .null }

  /// Whether the passkey may be backed up, in a few words.
  package var backupSummary: String {
    switch (isBackupEligible, isBackedUp) {
    case (true, true): "backed up"
    case (true, false): "possible"
    case (false, _): "bound"
    }
  }

  private var protectionSummary: String {
    switch protection {
    case .userVerificationOptional: "none"
    case .userVerificationOptionalWithCredentialIDList: "when named by its id, or after user verification"
    case .userVerificationRequired: "after user verification only"
    }
  }
}
