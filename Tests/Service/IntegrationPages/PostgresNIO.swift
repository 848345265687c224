// SPDX-License-Identifier: Apache-2.0

// [shown]
import NIOCoreStandIn
import PostgresNIOStandIn
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
/// The two tables of passkeys on a PostgreSQL server.
struct PostgresTables: PasskeyTables {
  let client: PostgresClient

  func create() async throws {
    try await client.query(
      """
      CREATE TABLE IF NOT EXISTS passkey_ceremonies (session text PRIMARY KEY, ceremony bytea NOT NULL,
        expiry bigint NOT NULL)
      """)
    try await client.query(
      """
      CREATE TABLE IF NOT EXISTS passkeys (id bytea PRIMARY KEY, user_handle bytea NOT NULL, record bytea NOT NULL)
      """)
    try await client.query("CREATE INDEX IF NOT EXISTS passkeys_of_user ON passkeys (user_handle)")
  }

  func keep(_ ceremony: [UInt8], for session: String) async throws {
    let now = UnixTime.now.secondsSince1970
    // Ceremonies that no response ended go at the same time.
    try await client.query("DELETE FROM passkey_ceremonies WHERE expiry < \(now)")
    try await client.query(
      """
      INSERT INTO passkey_ceremonies VALUES (\(session), \(ByteBuffer(bytes: ceremony)), \(now + 600))
      ON CONFLICT (session) DO UPDATE SET ceremony = excluded.ceremony, expiry = excluded.expiry
      """)
  }

  func take(_ session: String) async throws -> [UInt8] {
    let rows = try await client.query("DELETE FROM passkey_ceremonies WHERE session = \(session) RETURNING ceremony")
    let found = try await rows.collect().first?.decode(ByteBuffer.self)
    return found.map { [UInt8]($0.readableBytesView) } ?? []
  }
}
// [until here]

// [shown]
extension PostgresTables {
  func credential(_ id: CredentialID) async throws -> StoredCredential? {
    let id = ByteBuffer(bytes: id.bytes)
    return try await found(client.query("SELECT user_handle, record FROM passkeys WHERE id = \(id)")).first
  }

  func credentials(of user: UserHandle) async throws -> [StoredCredential] {
    let user = ByteBuffer(bytes: user.bytes)
    return try await found(client.query("SELECT user_handle, record FROM passkeys WHERE user_handle = \(user)"))
  }

  /// A compare-and-set: PostgreSQL evaluates the condition again after another transaction has changed the row.
  func store(_ credential: StoredCredential, replacing old: StoredCredential?) async throws -> Bool {
    let (id, user) = (ByteBuffer(bytes: credential.record.id.bytes), ByteBuffer(bytes: credential.user.bytes))
    let record = ByteBuffer(bytes: credential.record.encoded)
    let rows =
      if let old {
        try await client.query(
          """
          UPDATE passkeys SET record = \(record) WHERE id = \(id) AND user_handle = \(user)
            AND record = \(ByteBuffer(bytes: old.record.encoded)) RETURNING id
          """)
      } else {
        try await client.query(
          "INSERT INTO passkeys VALUES (\(id), \(user), \(record)) ON CONFLICT DO NOTHING RETURNING id")
      }
    return try await !rows.collect().isEmpty
  }

  private func found(_ rows: PostgresRowSequence) async throws -> [StoredCredential] {
    try await rows.collect().map { (row) in
      let (user, record) = try row.decode((ByteBuffer, ByteBuffer).self)
      return StoredCredential(
        user: try UserHandle([UInt8](user.readableBytesView)),
        record: try CredentialRecord(parsing: [UInt8](record.readableBytesView)))
    }
  }
}
// [until here]
