// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// payload = { 0: version, 1: an encoded sign-up with its credential record, 2: name, 3: AAGUID,
//             4: format, 5: type, 6: trust, ? 7: reason, 8: time, ? 9: language }
//
// CBOR in canonical form. A payload lives for minutes, so older versions need not be read.

/// An account and its first passkey, which wait for the verification of the address, and the invitation to spend then.
struct PendingSignUp: Hashable, Sendable {
  var account: Account
  var passkey: Passkey
  var code: TokenDigest?
  /// The language of the mail.
  var language: String?

  init(_ account: Account, _ passkey: Passkey, code: TokenDigest? = nil, language: String? = nil) {
    self.account = account
    self.passkey = passkey
    self.code = code
    self.language = language
  }

  /// The encoded payload.
  var encoded: [UInt8] {
    var writer = CBORWriter()
    let attestation = passkey.attestation
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: Self.version)
      map.write(
        .account, bytes: CeremonyPayload(.signUp(account, code: code), record: passkey.record.encoded).encoded)
      map.write(.name, text: passkey.name.text)
      map.write(.aaguid, bytes: passkey.aaguid.bytes)
      map.write(.format, text: attestation.format.rawValue)
      map.write(.type, text: attestation.type)
      map.write(.trust, text: attestation.trust.rawValue)
      if let reason = attestation.reason { map.write(.reason, text: reason) }
      map.write(.time, integer: passkey.created.secondsSince1970)
      if let language { map.write(.language, text: language) }
    }
    return writer.bytes
  }

  /// Parses the bytes of ``encoded``. Returns nil for any other bytes: the ceremony then counts as unknown.
  init?(parsing bytes: [UInt8]) {
    do {
      let members = CBORKeyedReader<Key>(try CBORValue(parsing: bytes, rules: .canonical).map)
      guard try members.unsigned(.version) == Self.version,
        let payload = CeremonyPayload(parsing: [UInt8](try members.bytes(.account))),
        case .signUp(let account, let code) = payload.intent, let record = payload.record,
        let aaguid = AAGUID(try [UInt8](members.bytes(.aaguid))),
        let trust = Passkey.AttestationSummary.Trust(rawValue: try members.text(.trust))
      else { return nil }
      self.account = account
      self.code = code
      language = try members.textIfPresent(.language)
      passkey = Passkey(
        user: account.handle, record: try CredentialRecord(parsing: record),
        name: try Passkey.Name(try members.text(.name)), aaguid: aaguid,
        attestation: Passkey.AttestationSummary(
          format: AttestationFormat(rawValue: try members.text(.format)), type: try members.text(.type), trust: trust,
          reason: try members.textIfPresent(.reason)),
        created: UnixTime(secondsSince1970: try members.integer(.time)))
    } catch {
      return nil
    }
  }

  private static let version: UInt64 = 1

  private enum Key: UInt64, CBORMapKey {
    case version = 0
    case account = 1
    case name = 2
    case aaguid = 3
    case format = 4
    case type = 5
    case trust = 6
    case reason = 7
    case time = 8
    case language = 9
  }
}
