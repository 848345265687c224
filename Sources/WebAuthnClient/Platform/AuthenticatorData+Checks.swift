// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes

extension AuthenticatorData {
  /// Throws unless the RP ID hash matches `scope`, user presence is set and, if required, user verification is set.
  /// `answer` names the response in error messages.
  func requireAnswer(for scope: String, requiringVerification isRequired: Bool, _ answer: String) throws(ClientError) {
    guard relyingPartyIDHash == Digest.sha256([UInt8](scope.utf8)[...])[...] else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) for another RP ID")
    }
    guard flags.contains(.userPresent) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) with the unrequested flag UP")
    }
    guard !isRequired || flags.contains(.userVerified) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) without user verification (UV)")
    }
  }
}
