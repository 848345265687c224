// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnTypes

/// A ceremony with a live server: what its options say, and the credential that answers.
struct LiveCeremony: Sendable {
  let challenge: [UInt8]
  let relyingPartyID: String
  let origin: String
  var credential: LiveCredential
  var signCount: UInt32 = 0
}

/// A credential of a fictitious authenticator.
struct LiveCredential: Sendable {
  let id: [UInt8]
  let userHandle: [UInt8]
  let key: SigningKey
  let model: AAGUID

  /// Makes a credential with a random ID. The keys of an algorithm are the same in each run, because RSA keys are slow.
  init(userHandle: [UInt8], _ algorithm: COSEAlgorithm, of model: FIDOModel) throws(PasskeyCryptoError) {
    id = try RandomSource.system.bytes(32)
    self.userHandle = userHandle
    key = try ScenarioValues.key(of: "Credential of FIDO's tests", algorithm)
    self.model = model.aaguid
  }
}
