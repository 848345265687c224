// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// An account with a passkey that nobody has, in a table of its own: it stands in for what is not found, so that to find
/// nobody takes the same work.
enum Sentinel {
  static let table = """
    CREATE TABLE sentinels (
      handle BLOB PRIMARY KEY NOT NULL, email TEXT NOT NULL, state TEXT NOT NULL, roles BLOB NOT NULL,
      created INTEGER NOT NULL, record BLOB NOT NULL)
    """

  /// As long as most are: a handle of 32 bytes, and a passkey of a platform's with a key on P-256.
  static let insertion = SQLStatement(
    "INSERT INTO sentinels (handle, email, state, roles, created, record) VALUES ($1, $2, $3, $4, $5, $6)",
    [
      .bytes(bytes(32)), .text("nobody@example.invalid"), .text(Account.State.active.rawValue), .roles([]), .integer(0),
      record.map { (record) in .bytes(record.encoded[...]) } ?? .bytes([]),
    ])

  /// What stands in a row of ``PasskeyService/Passkey/withAccount``.
  static let passkey = SQLRow(values: [
    .bytes(bytes(32)), record.map { (record) in .bytes(record.encoded[...]) } ?? .null, .integer(0), .flag(true),
    .text(CredentialName.unnamed.text), .bytes(bytes(16)),
    .attestation(AttestationSummary(format: .none, type: "none", trust: .none, reason: nil)), .integer(0), .integer(0),
    .null, .null, .flag(false), .integer(0),
    .bytes(bytes(32)), .text("nobody@example.invalid"), .text(Account.State.active.rawValue), .roles([]), .integer(0),
  ])

  private static let record: CredentialRecord? = (try? CredentialID(bytes(32))).map { (id) in
    CredentialRecord(
      id: id, publicKey: bytes(77), signCount: 0, uvInitialized: true, transports: [.internal, .hybrid],
      backupEligible: true, backupState: true)
  }

  private static func bytes(_ count: Int) -> Bytes { [UInt8](repeating: 0x5e, count: count)[...] }
}
