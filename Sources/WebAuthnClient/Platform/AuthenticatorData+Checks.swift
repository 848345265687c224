// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes

extension AuthenticatorData {
  /// What an authenticator says of an answer is looked at before it is believed: it is for this scope, somebody was there,
  /// and who, where that was required. `answer` is what it is called.
  func requireAnswer(for scope: String, requiringVerification isRequired: Bool, _ answer: String) throws(ClientError) {
    guard relyingPartyIDHash == Digest.sha256([UInt8](scope.utf8)[...])[...] else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) for another RP ID")
    }
    guard flags.contains(.userPresent) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) that nobody asked for (UP)")
    }
    guard !isRequired || flags.contains(.userVerified) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) of a user who was not verified (UV)")
    }
  }
}
