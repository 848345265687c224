// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension Passkey {
  // Properties that change on use have their own columns. The record column keeps their values at registration.
  private static let names = [
    "user_handle", "record", "sign_count", "backup_state", "name", "aaguid", "attestation", "created", "last_used",
    "clone_signal", "backup_signal", "disabled", "revision",
  ]
  static let columns = names.joined(separator: ", ")
  static let columnCount = names.count

  private static func columns(of table: String) -> String {
    names.map { (name) in "\(table).\(name)" }.joined(separator: ", ")
  }

  static let byID = "SELECT \(columns) FROM passkeys WHERE id = $1"

  /// Finds a passkey with its account, or the sentinel passkey with ID $2, so that both cases cost the same. The last
  /// column tells whether the row is the sentinel's.
  static let withAccount = """
    SELECT \(columns(of: "passkeys")), \(Account.columns(of: "accounts")), 0
    FROM passkeys JOIN accounts ON accounts.handle = passkeys.user_handle WHERE passkeys.id = $1
    UNION ALL
    SELECT \(columns(of: "spare")), \(Account.columns(of: "sentinels")), 1
    FROM sentinel_passkeys AS spare JOIN sentinels ON sentinels.handle = spare.user_handle
    WHERE spare.id = $2 AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = $1)
    """

  /// Decodes ``columns``, starting at column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    let bytes = try row.bytes(start + 1)
    var record = try row.checked(start + 1) { try CredentialRecord(parsing: [UInt8](bytes)) }
    guard let signCount = UInt32(exactly: try row.integer(start + 2)) else { throw row.unexpected(start + 2) }
    record.signCount = signCount
    record.backupState = try row.flag(start + 3)
    let name = try row.text(start + 4)
    guard let aaguid = AAGUID(try [UInt8](row.bytes(start + 5))) else { throw row.unexpected(start + 5) }
    self.init(
      user: try row.opaque(start), record: record, name: try row.checked(start + 4) { try Name(name) },
      aaguid: aaguid, attestation: try row.attestation(start + 6), created: try row.time(start + 7),
      lastUsed: try row.optionalTime(start + 8), cloneSignal: try row.optionalTime(start + 9),
      backupSignal: try row.optionalTime(start + 10), isDisabled: try row.flag(start + 11),
      revision: try row.integer(start + 12))
  }

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    try self.init(row)
  }

  /// The statement that inserts the passkey. The column `number` orders an account's passkeys.
  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO passkeys (id, \(Self.columns), number)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
        (SELECT coalesce(max(number), 0) + 1 FROM passkeys WHERE user_handle = $2))
      """,
      [
        .opaque(record.id), .opaque(user), .bytes(record.encoded[...]), .integer(Int64(record.signCount)),
        .flag(record.backupState), .text(name.text), .bytes(aaguid.bytes[...]), .attestation(attestation),
        .time(created), .time(lastUsed), .time(cloneSignal), .time(backupSignal), .flag(isDisabled),
        .integer(revision),
      ])
  }
}

extension SQLValue {
  static func attestation(_ summary: Passkey.AttestationSummary) -> Self {
    .bytes(
      CBORWriter.bytes(
        of: .array([
          .text(summary.format.rawValue), .text(summary.type), .text(summary.trust.rawValue),
          summary.reason.map { .text($0) } ?? .null,
        ]))[...])
  }
}

extension SQLRow {
  func attestation(_ column: Int) throws(StorageError) -> Passkey.AttestationSummary {
    let bytes = try bytes(column)
    let summary = try checked(column) { () -> Passkey.AttestationSummary? in
      let items = Array(try CBORValue(parsing: bytes, rules: .canonical).array)
      guard items.count == 4, let trust = Passkey.AttestationSummary.Trust(rawValue: try items[2].text) else {
        return nil
      }
      return Passkey.AttestationSummary(
        format: AttestationFormat(rawValue: try items[0].text), type: try items[1].text, trust: trust,
        reason: try? items[3].text)
    }
    guard let summary else { throw unexpected(column) }
    return summary
  }
}

extension CredentialUse {
  /// The SQL equivalent of ``applied(to:)``, under the same condition. Returns a row if the condition held.
  var update: SQLStatement { SQLStatement(Self.update, values) }

  /// The same update, on the additional condition that the account is active.
  func update(allowingPending allowsPending: Bool, unlessSpent ceremony: CeremonyID?) -> SQLStatement {
    SQLStatement(
      allowsPending ? Self.updateOfActiveOrPending : Self.updateOfActive,
      values + [ceremony.map { (ceremony) in .fixed(ceremony) } ?? .bytes([])])
  }

  private static let update = update(where: "")
  private static let updateOfActive = update(
    where: "AND EXISTS (SELECT 1 FROM accounts WHERE handle = $2 AND state = 'active') AND \(isNotSpent)")
  private static let updateOfActiveOrPending = update(
    where: "AND EXISTS (SELECT 1 FROM accounts WHERE handle = $2 AND state IN ('active', 'pending')) AND \(isNotSpent)")
  private static let isNotSpent = "NOT EXISTS (SELECT 1 FROM spent_ceremonies WHERE id = $10)"

  /// Returns the update with a further condition.
  private static func update(where condition: String) -> String {
    """
    UPDATE passkeys SET sign_count = $4, backup_state = $5,
      last_used = CASE WHEN last_used > $6 THEN last_used ELSE $6 END,
      clone_signal = coalesce($7, clone_signal), backup_signal = coalesce($8, backup_signal),
      revision = revision + $9
    WHERE id = $1 AND user_handle = $2 AND revision = $3 AND disabled = 0 \(condition)
    RETURNING revision
    """
  }

  private var values: [SQLValue] {
    [
      .opaque(credential), .opaque(user), .integer(revision), .integer(Int64(signCount)), .flag(backupState),
      .time(time), .time(suspectsClone ? time : nil), .time(changesBackupEligibility ? time : nil),
      .flag(changesRecord),
    ]
  }
}
