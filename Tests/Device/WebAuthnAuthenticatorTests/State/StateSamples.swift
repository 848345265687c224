// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnTypes

@testable import WebAuthnAuthenticator

extension DeviceState {
  /// Returns a state in which every member has a value.
  static func sample(passkeys count: Int = 2) throws -> DeviceState {
    let random = RandomSource.seeded(hex("5a")[...])
    var state = try DeviceState.factory(random: random)
    for number in 0..<count { state.passkeys.append(try .sample(number, random)) }
    state.nextSequence = UInt64(count)
    state.pin = PINState(hash: try random.secret(16), codePointCount: 6, remainingAttempts: 5)
    state.fingers = [EnrolledFinger(templateID: [1, 2], finger: 3, name: "left thumb")]
    state.remainingFingerAttempts = 2
    state.settings.minimumPINLengthReaders = ["raxx.app"]
    state.settings.needsLongTouchForReset = true
    state.largeBlobArray = [0x80]
    state.persistentToken = try random.secret(32)
    state.wrapping.signCount = 7
    return state
  }
}

extension StoredPasskey {
  /// Returns a passkey with every optional member or with none.
  static func sample(_ number: Int, _ random: RandomSource) throws -> StoredPasskey {
    let isFull = number.isMultiple(of: 2)
    return StoredPasskey(
      .init(
        id: try CredentialID(random.bytes(32)), algorithm: .es256, privateKey: try random.secret(138),
        relyingPartyIDHash: Digest.sha256([UInt8]("raxx.app".utf8)[...]), relyingPartyID: isFull ? "raxx.app" : nil,
        relyingPartyName: isFull ? "Raxx" : nil,
        user: isFull
          ? PasskeyUser(id: try UserHandle(random.bytes(16)), name: "ada@raxx.app", displayName: "Ada") : nil,
        isDiscoverable: isFull, protection: .userVerificationRequired,
        extensionSecrets: isFull
          ? ExtensionSecrets(withVerification: try random.secret(32), withoutVerification: try random.secret(32)) : nil,
        blob: isFull ? [1, 2, 3] : nil, largeBlobKey: isFull ? try random.secret(32) : nil,
        allowsThirdPartyPayment: isFull, aaguid: .zero, counterPolicy: isFull ? .counting : .zero,
        signCount: UInt32(number), isBackupEligible: !isFull, isBackedUp: !isFull,
        created: UnixTime(secondsSince1970: 1_700_000_000),
        lastUsed: isFull ? UnixTime(secondsSince1970: 1_800_000_000) : nil, sequence: UInt64(number)))
  }
}
