// SPDX-License-Identifier: Apache-2.0

import PasskeyStorage
import ServiceTestSupport
import SystemCrypto
import WebAuthnTypes
import WireFormats

@testable import PasskeyService

extension MemoryStorage {
  /// A concurrent use of a passkey, which increments its counter.
  func use(_ passkey: Passkey) async {
    guard let id = try? RandomSource.system.draw(SessionID.self),
      let token = try? RandomSource.system.draw(TokenDigest.self)
    else { return }
    let use = CredentialUse(
      credential: passkey.record.id, user: passkey.user, revision: passkey.revision,
      signCount: passkey.record.signCount + 100, backupState: passkey.record.backupState, changesRecord: true,
      time: ServiceWorld.start)
    let session = Session(
      id: id, user: passkey.user, credential: passkey.record.id, created: ServiceWorld.start,
      expiry: ServiceWorld.start, lastSeen: ServiceWorld.start)
    _ = try? signIn(SignInCommit(use: use, opening: SessionOpening(session: session, token: token), audit: []))
  }
}
