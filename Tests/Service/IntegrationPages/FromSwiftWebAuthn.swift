// SPDX-License-Identifier: Apache-2.0

// [shown]
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
struct SignIn {
  let relyingParty: RelyingParty
  let tables: any PasskeyTables

  func options(session: String) async throws -> [UInt8] {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(session), at: .now)
    try await tables.keep(begun.pending.bytes, for: session)
    return begun.options.json
  }

  func verify(_ body: [UInt8], session: String) async throws -> UserHandle? {
    let taken = try await tables.take(session)
    let response = try AuthenticationResponse(json: body)
    guard let stored = try await tables.credential(response.id) else { return nil }
    let result = try relyingParty.finishAuthentication(
      response, pending: PendingAuthentication(taken: taken), binding: CeremonyBinding(session), credential: stored,
      at: .now)
    return try await tables.store(result.credential, replacing: stored) ? result.user : nil
  }
}
// [until here]

// [shown]
/// A row of your table.
struct OldRow {
  let credentialID: String
  let publicKey: [UInt8]
  let signCount: UInt32
  let userID: [UInt8]
}

/// Copies your rows, and returns those that it refuses. It can run again.
func migrate(_ rows: [OldRow], to tables: any PasskeyTables) async throws -> [(row: OldRow, error: any Error)] {
  var refused: [(row: OldRow, error: any Error)] = []
  for row in rows {
    do {
      let credential = try StoredCredential(
        migrating: row.credentialID, publicKey: row.publicKey, signCount: row.signCount, of: UserHandle(row.userID),
        // True only if you passed requireUserVerification: true to each registration.
        uvInitialized: false,
        // The values of Credential.backupEligible and isBackedUp, if you stored them.
        backupEligible: false, backupState: false)
      _ = try await tables.store(credential, replacing: nil)
    } catch let error as CeremonyError { refused.append((row, error)) } catch let error as FormatError {
      refused.append((row, error))
    }
  }
  return refused
}
// [until here]
