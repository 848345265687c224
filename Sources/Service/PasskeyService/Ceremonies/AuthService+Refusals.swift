// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

// The details that a client receives for a refused response, besides the code.
//
// The origin comes from the client's own data and is compared only with the relying party's list, so it reveals nothing
// about accounts. The signal names the presented credential only. Whether a refused sign-in carries it must not depend
// on the store, because the IDs of decoys are unknown and those of real passkeys are known. So every response without a
// valid signature of the stored key is judged as if the credential were unknown.

extension AuthService {
  /// Returns the error for a refused sign-in, with the origin of a foreign page, or with the signal that the credential
  /// is unknown.
  ///
  /// Refusals of known and unknown credentials take the same signature verifications (``DummyKeys``).
  func refusal(
    _ error: ServiceError, of received: ReceivedAuthentication, _ taken: ResumedCeremony, at now: UnixTime
  ) -> ServiceError {
    guard error.publicCode == .signInRefused else { return error }
    var refusal = error
    refusal.signal = unknownCredentialSignal(error, received, taken, at: now)
    return withForeignOrigin(refusal, in: received.clientData)
  }

  /// Returns the error for a refused registration, with the origin of a foreign page, and with the signal to remove the
  /// new passkey. There is no signal if the outcome is unknown or the credential is registered.
  func refusal(
    _ error: ServiceError, of received: ReceivedRegistration
  ) -> ServiceError {
    switch error.code {
    case .signUpCeremonyFailed, .signUpEmailTaken, .accountEmailTaken, .signUpAccountRefused, .signUpCodeRefused,
      .sessionUnknown, .credentialTooMany:
      var refusal = error
      refusal.signal = relyingParty.unknownCredentialSignal(of: received.response.id)
      return error.publicCode == .signUpRefused ? withForeignOrigin(refusal, in: received.clientData) : refusal
    default: return error
    }
  }

  /// Returns the error for a refused confirmation, with the origin of a foreign page.
  func refusal(ofConfirmation error: ServiceError, _ received: ReceivedAuthentication) -> ServiceError {
    error.publicCode == .stepUpRefused ? withForeignOrigin(error, in: received.clientData) : error
  }

  private func withForeignOrigin(
    _ error: ServiceError, in clientData: Result<ClientData, FormatError>
  ) -> ServiceError {
    guard let clientData = try? clientData.get(),
      !relyingParty.origins.contains(where: { $0.isSerialized(as: clientData.originUTF8) })
    else { return error }
    return error.withForeignOrigin(clientData.origin)
  }

  private func unknownCredentialSignal(
    _ error: ServiceError, _ received: ReceivedAuthentication, _ taken: ResumedCeremony, at now: UnixTime
  ) -> CredentialSignal? {
    guard isValidBesidesSignature(received, taken, at: now) else { return nil }
    dummyKeys.verifyOthers(than: taken.passkey.map { (passkey) in passkey.record.publicKey[...] }, received.response)
    if let passkey = taken.passkey, !error.isInvalidSignature, received.isSigned(by: passkey) { return nil }
    return relyingParty.unknownCredentialSignal(for: received.response)
  }

  /// Whether the response would be valid if its signature were. Judges it without the stored credential.
  private func isValidBesidesSignature(
    _ received: ReceivedAuthentication, _ taken: ResumedCeremony, at now: UnixTime
  ) -> Bool {
    do throws(CeremonyError) {
      let pending = try taken.unsealed.authentication()
      let response = received.response
      guard let dummy = dummyCredential(for: response, pending.identification) else { return false }
      _ = try relyingParty.finishAuthentication(
        received, pending: pending, binding: taken.binding, credential: dummy, at: now)
      return true
    } catch {
      return error.code == .authenticationSignatureInvalid
    }
  }
}

extension ServiceError {
  fileprivate var isInvalidSignature: Bool {
    if case .ceremony(let error)? = cause { error.code == .authenticationSignatureInvalid } else { false }
  }
}

extension ReceivedAuthentication {
  /// Whether the passkey's stored key signed the response.
  fileprivate func isSigned(by passkey: Passkey) -> Bool {
    guard let key = try? COSEKey(parsing: passkey.record.publicKey) else { return false }
    let hash = Digest.sha256(response.clientDataJSON)
    do throws(PasskeyCryptoError) {
      try key.verify(response.signature, over: response.authenticatorData, followedBy: hash[...])
      return true
    } catch {
      return false
    }
  }
}
