// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

@testable import WebAuthnAuthenticator

extension StoredPasskey {
  /// Returns a user's credential as created without extensions.
  static func made(
    for relyingPartyID: String, user: String, id: String? = nil, algorithm: COSEAlgorithm = .es256,
    isDiscoverable: Bool = true, isBackupEligible: Bool = false, counterPolicy: CounterPolicy = .zero,
    sequence: UInt64 = 0
  ) throws -> StoredPasskey {
    StoredPasskey(
      .init(
        id: try CredentialID([UInt8]((id ?? "\(user)@\(relyingPartyID)").utf8)), algorithm: algorithm,
        privateKey: try SigningKey.generate(algorithm, random: .system).pkcs8,
        relyingPartyIDHash: Digest.sha256([UInt8](relyingPartyID.utf8)[...]), relyingPartyID: relyingPartyID,
        relyingPartyName: nil, user: PasskeyUser(id: try UserHandle([UInt8](user.utf8)), name: user),
        isDiscoverable: isDiscoverable, protection: .userVerificationOptional, extensionSecrets: nil, blob: nil,
        largeBlobKey: nil, allowsThirdPartyPayment: false, aaguid: .zero, counterPolicy: counterPolicy, signCount: 0,
        isBackupEligible: isBackupEligible, isBackedUp: false, created: UnixTime(secondsSince1970: 1_800_000_000),
        lastUsed: nil,
        sequence: sequence))
  }
}
