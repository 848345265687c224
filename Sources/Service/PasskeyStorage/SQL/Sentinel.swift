// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// A stand-in account with passkeys, in its own tables. It is read on a miss, so that a lookup without a result costs
/// the same as one with a result.
package enum Sentinel {
  /// Has typical lengths: a 32-byte handle, and a platform passkey with a P-256 key.
  static let insertion = SQLStatement(
    """
    INSERT INTO sentinels (handle, email, awaits_verification, state, roles, created, updated, language, time_zone, record)
    VALUES ($1, $2, 0, $3, $4, 0, 0, $5, $6, $7)
    """,
    [
      .bytes(bytes(32)), .text("nobody@example.invalid"), .text("active"), .bytes(emptyList), .text("en"),
      .text("Europe/London"),
      record.map { (record) in .bytes(record.encoded[...]) } ?? .bytes([]),
    ])

  /// The sentinel's passkeys, as many as the request options of an account can list.
  static let passkeyInsertions = (1...maximumPasskeyCount).map { (number) in
    SQLStatement(
      """
      INSERT INTO sentinel_passkeys (
        id, user_handle, record, sign_count, backup_state, name, aaguid, attestation, created, last_used, clone_signal,
        backup_signal, disabled, revision, number)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      """,
      [
        .bytes(id(number)), .bytes(bytes(32)),
        registeredRecord.map { (record) in .bytes(record.encoded[...]) } ?? .bytes([]),
        .integer(0), .flag(true), .text("Passkey"), .bytes(bytes(16)),
        .bytes(attestation), .integer(0),
        .integer(0), .null, .null, .flag(false), .integer(0), .integer(Int64(number)),
      ])
  }

  /// The sentinel account's handle.
  package static let handle = SQLValue.bytes(bytes(32))

  /// The credential ID of the sentinel's first passkey.
  package static let firstID = SQLValue.bytes(id(1))

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

  /// No roles, as an account has them.
  private static let emptyList = CBORWriter.bytes(of: .array([]))[...]

  /// A summary without an attestation, as a passkey has it.
  private static let attestation = CBORWriter.bytes(of: .array([.text("none"), .text("none"), .text("none"), .null]))[
    ...]

  private static func bytes(_ count: Int) -> Bytes { [UInt8](repeating: 0x5e, count: count)[...] }
}
