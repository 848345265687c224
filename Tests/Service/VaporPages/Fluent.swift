// SPDX-License-Identifier: Apache-2.0

// [shown]
import FluentSQLStandIn
import Foundation
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
/// The two tables of passkeys: `app.migrations.add(CreatePasskeys())`.
struct CreatePasskeys: AsyncMigration {
  func prepare(on database: any Database) async throws {
    try await database.schema("passkey_ceremonies")
      .field("session", .string, .identifier(auto: false))
      .field("ceremony", .data, .required)
      .field("expiry", .int64, .required)
      .create()
    try await database.schema("passkeys")
      .field("id", .data, .identifier(auto: false))
      .field("user_handle", .data, .required)
      .field("record", .data, .required)
      .create()
  }

  func revert(on database: any Database) async throws {
    try await database.schema("passkeys").delete()
    try await database.schema("passkey_ceremonies").delete()
  }
}
// [until here]

// [shown]
/// The statements on a database of Fluent: `FluentTables(sql: app.db as! any SQLDatabase)`.
struct FluentTables: PasskeyTables {
  let sql: any SQLDatabase

  func keep(_ ceremony: [UInt8], for session: String) async throws {
    let now = UnixTime.now.secondsSince1970
    // Ceremonies that no response ended go at the same time.
    try await sql.raw("DELETE FROM passkey_ceremonies WHERE expiry < \(bind: now)").run()
    try await sql.raw(
      """
      INSERT INTO passkey_ceremonies VALUES (\(bind: session), \(bind: Data(ceremony)), \(bind: now + 600))
      ON CONFLICT (session) DO UPDATE SET ceremony = excluded.ceremony, expiry = excluded.expiry
      """
    ).run()
  }

  func take(_ session: String) async throws -> [UInt8] {
    let found = try await sql.raw(
      "DELETE FROM passkey_ceremonies WHERE session = \(bind: session) RETURNING ceremony"
    ).first(decodingColumn: "ceremony", as: Data.self)
    return [UInt8](found ?? Data())
  }
}
// [until here]

// [shown]
extension FluentTables {
  func credential(_ id: CredentialID) async throws -> StoredCredential? {
    try await found("SELECT user_handle, record FROM passkeys WHERE id = \(bind: id.data)").first
  }

  func credentials(of user: UserHandle) async throws -> [StoredCredential] {
    try await found("SELECT user_handle, record FROM passkeys WHERE user_handle = \(bind: user.data)")
  }

  /// A compare-and-set: the database evaluates the condition again after another transaction has changed the row.
  func store(_ credential: StoredCredential, replacing old: StoredCredential?) async throws -> Bool {
    let (id, user) = (credential.record.id.data, credential.user.data)
    let record = Data(credential.record.encoded)
    let statement: SQLQueryString =
      if let old {
        """
        UPDATE passkeys SET record = \(bind: record) WHERE id = \(bind: id) AND user_handle = \(bind: user)
          AND record = \(bind: Data(old.record.encoded)) RETURNING id
        """
      } else {
        """
        INSERT INTO passkeys VALUES (\(bind: id), \(bind: user), \(bind: record)) ON CONFLICT DO NOTHING RETURNING id
        """
      }
    return try await sql.raw(statement).first(decodingColumn: "id", as: Data.self) != nil
  }

  private func found(_ statement: SQLQueryString) async throws -> [StoredCredential] {
    try await sql.raw(statement).all().map { (row) in
      StoredCredential(
        user: try UserHandle(row.decode(column: "user_handle", as: Data.self)),
        record: try CredentialRecord(parsing: row.decode(column: "record", as: Data.self)))
    }
  }
}
// [until here]
