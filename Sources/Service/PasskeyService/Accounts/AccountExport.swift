// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
package import WebAuthnTypes

/// The stored data about one account, for its owner.
///
/// Without secrets and their hashes, and without notices that wait for delivery: their content is in the audit entries.
public struct AccountExport: Sendable {
  /// The account.
  public let account: Account
  /// Its passkeys.
  public let passkeys: [Passkey]
  /// The names of the models of its passkeys, as far as they are known.
  package let providers: [AAGUID: String]
  /// The sessions that have not ended.
  package let sessions: [AccountSession]
  /// The notification preferences.
  package let preferences: NotificationPreferences
  /// The registered devices, the revoked ones included.
  package let devices: [Device]
  /// Its pending changes of address, verifications and recoveries.
  package let emailCeremonies: [EmailCeremony]
  /// The networks that it signed in from; each is stored as a hash with an expiry.
  package let knownClients: [KnownClient]
  /// The audit entries of which the account is the actor or the account concerned.
  package let trail: [ExportedAuditEntry]
  /// The text of the key that verifies the proofs of the entries (``/PasskeyTransparencyLog/NoteKey``); nil if the store has
  /// no log.
  package let auditKey: String?
  /// The time of the export.
  public let time: UnixTime

  /// The value of the document's `format` member.
  package static let format = "passkey-account"

  /// The version of the document. It increases when a member is added or its meaning changes.
  ///
  /// Version 2 added `auditKey`, and `proof` and `auditKey` of audit entries. Version 3 added `emailCeremonies`,
  /// `knownClients`, `account.awaitsVerification`, and of passkeys `uvInitialized`, `rpId`, `registered`, `attestationObject`
  /// and `attestationClientDataJSON`. Version 4 added `lastPasskeyRemoved` of sessions. Version 5
  /// added `browser` and `system` of sessions. Version 6 added `account.language` and `account.timeZone`.
  public static let version = 6

  /// The document as JSON, one member a line. It contains no session or refresh tokens, because the store keeps only
  /// their hashes.
  public var json: [UInt8] {
    JSON.writeObject(.pretty) { document in
      document.write("format", Self.format)
      document.write("version", .integer(Self.version))
      document.write("time", time)
      document.writeObject("account") { object in
        object.write("handle", .base64URL(account.handle.bytes))
        if let username = account.username { object.write("username", username.text) }
        if let email = account.email { object.write("email", email.text) }
        if let time = account.emailVerified { object.write("emailVerified", time) }
        object.write("awaitsVerification", .bool(account.awaitsVerification))
        object.write("state", account.state.rawValue)
        object.writeArray("roles") { list in
          for role in account.roles.map(\.rawValue).sorted() { list.write(role) }
        }
        object.write("created", account.created)
        object.write("updated", account.updated)
        if let language = account.locale.language { object.write("language", language) }
        if let timeZone = account.locale.timeZone { object.write("timeZone", timeZone) }
      }
      document.writeObject("preferences") { object in
        for (name, choice) in preferences.choices.sorted(by: { $0.key < $1.key }) { object.write(name, .bool(choice)) }
      }
      document.writeArray("passkeys") { list in
        for passkey in passkeys { list.writeObject { (object) in passkey.write(into: &object, providers) } }
      }
      document.writeArray("sessions") { list in
        for session in sessions { list.writeObject(session.write) }
      }
      document.writeArray("devices") { list in
        for device in devices { list.writeObject(device.write) }
      }
      document.writeArray("emailCeremonies") { list in
        for ceremony in emailCeremonies { list.writeObject(ceremony.write) }
      }
      document.writeArray("knownClients") { list in
        for client in knownClients { list.writeObject { (object) in object.write("expiry", client.expiry) } }
      }
      if let auditKey { document.write("auditKey", auditKey) }
      document.writeArray("audit") { list in
        for entry in trail { list.writeObject { (object) in entry.write(into: &object, auditKey) } }
      }
    }
  }
}

/// An audit entry of an export, with the proof that the audit log has its record.
package struct ExportedAuditEntry: Sendable {
  /// The record, with the remaining personal details of the account's owner.
  package let entry: AuditEntry

  /// The text of a proof file (``/PasskeyTransparencyLog/LogProof``), which contains the record and the details. It is nil if the
  /// record waits for its place, and if the log was changed and cannot prove it.
  package let proof: String?

  /// The text of the key that verifies the proof.
  package let key: String?
}

extension Passkey {
  fileprivate func write(into object: inout JSONObjectWriter, _ providers: [AAGUID: String]) {
    object.write("id", .base64URL(record.id.bytes))
    object.write("name", name.text)
    object.write("publicKey", .base64URL(record.publicKey))
    object.write("signCount", .integer(record.signCount))
    object.writeArray("transports") { list in
      for transport in record.transports { list.write(transport.rawValue) }
    }
    object.write("uvInitialized", .bool(record.uvInitialized))
    object.write("backupEligible", .bool(record.backupEligible))
    object.write("backupState", .bool(record.backupState))
    object.write("aaguid", "\(aaguid)")
    if let provider = providers[aaguid] { object.write("provider", provider) }
    object.write("attestation", attestation.format.rawValue)
    object.write("trust", attestation.trust.rawValue)
    if let bytes = record.attestationObject { object.write("attestationObject", .base64URL(bytes)) }
    if let bytes = record.attestationClientDataJSON { object.write("attestationClientDataJSON", .base64URL(bytes)) }
    if let id = record.relyingPartyID { object.write("rpId", id.text) }
    if let time = record.registered { object.write("registered", time) }
    object.write("created", created)
    if let lastUsed { object.write("lastUsed", lastUsed) }
    if let cloneSignal { object.write("cloneSignal", cloneSignal) }
    if let backupSignal { object.write("backupSignal", backupSignal) }
    object.write("disabled", .bool(isDisabled))
  }
}

extension EmailCeremony {
  /// Says nothing about ``isDecoy``: the owner of an account must not learn that another account has an address.
  fileprivate func write(into object: inout JSONObjectWriter) {
    object.write("purpose", purpose.rawValue)
    object.write("email", email.text)
    object.write("created", created)
    if let language { object.write("language", language) }
    if let notBefore { object.write("notBefore", notBefore) }
    object.write("expiry", expiry)
  }
}

extension AccountSession {
  fileprivate func write(into object: inout JSONObjectWriter) {
    object.write("id", "\(id)")
    object.write("credential", .base64URL(credential.bytes))
    object.write("created", created)
    object.write("expiry", expiry)
    object.write("lastSeen", lastSeen)
    object.write("verifiedAt", verifiedAt)
    if let browser = client?.browser { object.write("browser", browser) }
    if let system = client?.system { object.write("system", system) }
    if let lastPasskeyRemoved { object.write("lastPasskeyRemoved", lastPasskeyRemoved) }
  }
}

extension Device {
  fileprivate func write(into object: inout JSONObjectWriter) {
    object.write("id", "\(id)")
    object.write("service", service.rawValue)
    object.write("token", token)
    if let platform { object.write("platform", platform) }
    if let timeZone { object.write("timeZone", timeZone) }
    object.write("created", created)
    if let revoked { object.write("revoked", revoked) }
  }
}

extension ExportedAuditEntry {
  /// Writes the members. The key is written only if the document has another one, because an earlier log has the record.
  fileprivate func write(into object: inout JSONObjectWriter, _ documentKey: String?) {
    entry.write(into: &object)
    if let proof { object.write("proof", proof) }
    if let key, key != documentKey { object.write("auditKey", key) }
  }
}

extension AuditEntry {
  fileprivate func write(into object: inout JSONObjectWriter) {
    object.write("sequence", .integer(record.sequence))
    object.write("time", record.time)
    object.write("event", record.event.rawValue)
    if let subject = record.subject { object.write("subject", subject) }
    object.write("outcome", record.outcome)
    object.write("requestId", record.requestID)
    object.writeObject("details") { details in
      for (name, text) in record.details.sorted(by: { $0.key < $1.key }) { details.write(name, text) }
    }
    object.writeObject("personal") { details in
      for detail in personalDetails { details.write(detail.name.rawValue, detail.value) }
    }
  }
}
