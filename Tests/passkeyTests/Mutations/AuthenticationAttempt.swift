// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import passkey

/// An authentication's response and the record that it is judged by, so that one thing in them can be changed.
struct AuthenticationAttempt {
  var response: AuthenticationResponse
  var credential: StoredCredential

  /// Who was asked to sign in, with which credential.
  let identification: UserIdentification

  /// The credential's private key, where it is known: what is changed can then be signed.
  let signingKey: SigningKey?

  var authenticatorData: [UInt8] {
    get { [UInt8](response.authenticatorData) }
    set { response.authenticatorData = newValue[...] }
  }

  var clientDataJSON: [UInt8] {
    get { [UInt8](response.clientDataJSON) }
    set { response.clientDataJSON = newValue[...] }
  }

  var signature: [UInt8] {
    get { [UInt8](response.signature) }
    set { response.signature = newValue[...] }
  }

  /// Signs what there is now.
  mutating func sign() throws {
    guard let signingKey else { return }
    let message = response.authenticatorData + Digest.sha256(response.clientDataJSON)
    response.signature = try signingKey.sign(message, .deterministic)[...]
  }
}

extension PositiveCase {
  /// The authentication as it was recorded.
  func authentication() throws -> AuthenticationAttempt {
    guard let stored = recorded.credential else {
      throw WireError(.jsonMissingMember, at: recorded.response.startIndex)
    }
    let response = try AuthenticationResponse(json: recorded.response)
    let flags = try AuthenticatorData(parsing: response.authenticatorData).flags
    let user = try stored.userHandle.map { try UserHandle($0) } ?? response.userHandle ?? UserHandle([0])
    let record = CredentialRecord(
      id: try CredentialID(stored.id), publicKey: stored.publicKey[...], signCount: stored.signCount,
      uvInitialized: true, transports: [],
      backupEligible: stored.backupEligible ?? flags.contains(.backupEligible), backupState: false)
    return AuthenticationAttempt(
      response: response, credential: StoredCredential(user: user, record: record),
      identification: .knownBefore(user, credentials: [CredentialDescriptor(id: record.id)]),
      signingKey: try RecordedKeys.signingKey(of: recorded))
  }

  func verdict(of attempt: AuthenticationAttempt, by other: RelyingParty? = nil) -> Verdict {
    let relyingParty = other ?? relyingParty
    return Verdict {
      let pending = relyingParty.beginAuthentication(
        of: attempt.identification,
        extensions: recorded.relyingParty.appID.map { ["appid": .string($0)] } ?? [:], at: time,
        challenge: Challenge(allowingGuessableLength: recorded.challenge[...])
      ).pending
      _ = try relyingParty.finishAuthentication(
        attempt.response, pending: pending, credential: attempt.credential, at: time)
    }
  }
}
