// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
internal import PasskeyStorage
package import WebAuthnTypes

extension InterceptedStorage {
  package func presented(
    _ credential: CredentialID, in ceremony: CeremonyID, sealedWith salt: ChallengeSalt
  ) async throws(StorageError) -> PresentedCredential {
    try await intercepted().presented(credential, in: ceremony, sealedWith: salt)
  }

  package func spend(_ ceremony: CeremonyID) async throws(StorageError) -> Bool {
    try await intercepted().spend(ceremony)
  }

  // Not intercepted: read once and then kept.
  package func challengeSalts() async throws(StorageError) -> [ChallengeSalt] { try await storage.challengeSalts() }

  package func addChallengeSalt(
    _ salt: ChallengeSalt, unlessSince time: UnixTime, deletingOutside lifetime: ClosedRange<UnixTime>
  ) async throws(StorageError) -> [ChallengeSalt] {
    try await storage.addChallengeSalt(salt, unlessSince: time, deletingOutside: lifetime)
  }

  package func replaceChallengeSalts(with salt: ChallengeSalt) async throws(StorageError) {
    try await storage.replaceChallengeSalts(with: salt)
  }
}
