// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

/// A stand-in account with passkeys, in its own tables. It is read on a miss, so that a lookup without a result costs
/// the same as one with a result.
enum Sentinel {
  /// Has typical lengths: a 32-byte handle, and a platform passkey with a P-256 key.
  static let insertion = SQLStatement(
    """
    INSERT INTO sentinels (handle, email, awaits_verification, state, roles, created, updated, record)
    VALUES ($1, $2, 0, $3, $4, 0, 0, $5)
    """,
    [
      .bytes(bytes(32)), .text("nobody@example.invalid"), .text(Account.State.active.rawValue), .roles([]),
      record.map { (record) in .bytes(record.encoded[...]) } ?? .bytes([]),
    ])

  /// The sentinel's passkeys, as many as the request options of an account can list.
  static let passkeyInsertions = (1...maximumPasskeyCount).map { (number) in
    SQLStatement(
      """
      INSERT INTO sentinel_passkeys (id, \(Passkey.columns), number)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      """,
      [
        .bytes(id(number)), .bytes(bytes(32)),
        registeredRecord.map { (record) in .bytes(record.encoded[...]) } ?? .bytes([]),
        .integer(0), .flag(true), .text(CredentialName.unnamed.text), .bytes(bytes(16)),
        .attestation(AttestationSummary(format: .none, type: "none", trust: .none, reason: nil)), .integer(0),
        .integer(0), .null, .null, .flag(false), .integer(0), .integer(Int64(number)),
      ])
  }

  /// The sentinel account's handle.
  static let handle = SQLValue.bytes(bytes(32))

  /// The credential ID of the sentinel's first passkey.
  static let firstID = SQLValue.bytes(id(1))

  // 64 passkeys [the longest list in CredentialLists]
  private static let maximumPasskeyCount = 64

  private static func id(_ number: Int) -> Bytes { bytes(31) + [UInt8(truncatingIfNeeded: number)] }

  private static let record: CredentialRecord? = (try? CredentialID(bytes(32))).map { (id) in
    CredentialRecord(
      id: id, publicKey: [UInt8](bytes(77)), signCount: 0, uvInitialized: true, transports: [.internal, .hybrid],
      backupEligible: true, backupState: true)
  }

  /// The record with all members of a registration, so that decoding takes as long as for a real one.
  private static let registeredRecord: CredentialRecord? = record.map { (record) in
    var registered = record
    registered.attestationObject = [UInt8](bytes(196))
    registered.attestationClientDataJSON = [UInt8](bytes(134))
    registered.relyingPartyID = try? RelyingPartyID("example.org")
    registered.registered = UnixTime(secondsSince1970: 1_800_000_000)
    return registered
  }

  private static func bytes(_ count: Int) -> Bytes { [UInt8](repeating: 0x5e, count: count)[...] }
}
