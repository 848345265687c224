// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyService
internal import PasskeyStorage
internal import PasskeyTestSupport
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A store of `raxx.app` whose audit trail is a chain, as earlier versions and servers that embed the service make it.
package enum ChainStore {
  /// Creates a SQLite file and its secret.
  package static func create(_ path: String, secretPath: String) async throws {
    let secret = try RandomSource.system.bytes(32)
    try File.write(secret, to: secretPath, isPrivate: true)
    let party = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    // The commands warn of a database that other users can read.
    try File.write([], to: path, isPrivate: true)
    let storage = try await SQLiteStorage.open(path)
    let service = try AuthService(
      relyingParty: party, storage: storage, decoys: DecoyCredentials(key: SecretBytes(secret), for: party.id))
    try await service.claimStore()
    await storage.close()
  }
}
