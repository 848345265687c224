// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// An authentication response and its credential record, as mutable parts.
struct AuthenticationAttempt {
  var response: AuthenticationResponse
  var credential: StoredCredential

  /// The user and credentials that the relying party knows before the ceremony.
  let identification: UserIdentification

  /// The credential's private key, to sign changed data; nil where it is unknown.
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

  /// Signs the current authenticator data and client data.
  mutating func sign() throws {
    guard let signingKey else { return }
    let message = response.authenticatorData + Digest.sha256(response.clientDataJSON)
    response.signature = try signingKey.sign(message, .deterministic)[...]
  }
}

extension PositiveCase {
  /// Returns the recorded authentication.
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
