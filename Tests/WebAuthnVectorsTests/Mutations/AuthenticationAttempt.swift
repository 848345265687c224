// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import WebAuthnInspection
@testable import WebAuthnVectors

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
    let credential = try judge.credential(stored, for: response)
    return AuthenticationAttempt(
      response: response, credential: credential, identification: try judge.identification(of: credential),
      signingKey: try RecordedKeys.signingKey(of: recorded))
  }

  func verdict(of attempt: AuthenticationAttempt) -> Verdict {
    Verdict { _ = try judge.authenticate(attempt.response, attempt.credential, asking: attempt.identification) }
  }
}
