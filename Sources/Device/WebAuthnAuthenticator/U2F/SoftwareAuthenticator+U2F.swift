// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// FIDO U2F Raw Message Formats, and CTAP 2.3 §10 on the interoperability of U2F and CTAP2 credentials.

extension SoftwareAuthenticator {
  /// Returns the response to a U2F message, including the status word.
  func answer(_ command: Bytes) async -> [UInt8] {
    do throws(U2FStatus) {
      return try await answer(U2FMessage(CommandAPDU(parsing: command))) + U2FStatus.noError.bytes
    } catch {
      return error.bytes
    }
  }

  /// Returns whether U2F is enabled. U2F requires ES256 and has no user verification, so alwaysUv disables it.
  func speaksU2F(_ state: DeviceState) -> Bool {
    !state.settings.alwaysRequiresUserVerification && offers(.es256)
  }

  private func answer(_ message: U2FMessage) async throws(U2FStatus) -> [UInt8] {
    let state = try mapError(vault.read(), U2FStatus.init(of:))
    guard speaksU2F(state) else { throw .commandNotAllowed }
    switch message {
    case .register(let challenge, let application):
      return try await register(challenge, application, state)
    case .authenticate(let control, let challenge, let application, let keyHandle):
      return try await authenticate(control, challenge, application, keyHandle, state)
    case .version:
      return [UInt8]("U2F_V2".utf8)
    }
  }

  // §4.3: 05, the public key, the length-prefixed key handle, the certificate, the signature.
  private func register(
    _ challenge: Bytes, _ application: Bytes, _ state: DeviceState
  ) async throws(U2FStatus) -> [UInt8] {
    try await requireTouch(.register)
    return try mapError(U2FStatus.init(of:)) { () throws(CTAPError) in
      let draft = try CredentialDraft(
        u2fApplication: application, profile, wrapping: state.wrapping, random, now: clock.now)
      guard case .ec2(_, let x, let y) = draft.key.publicKey.material, let length = UInt8(exactly: draft.id.bytes.count)
      else { throw CTAPError(.unsupportedAlgorithm) }
      let (certificate, signature) = try attest(draft, challenge)
      try store(draft)
      var reply = ByteWriter(capacity: 1024)
      reply.write(0x05 as UInt8)
      reply.write(0x04 as UInt8)
      reply.write(x)
      reply.write(y)
      reply.write(length)
      reply.write(draft.id.bytes)
      reply.write(certificate)
      reply.write(signature)
      return reply.bytes
    }
  }

  /// Returns the certificate and the signature. A fido-u2f attestation statement contains both, over the same message.
  private func attest(
    _ draft: CredentialDraft, _ challenge: Bytes
  ) throws(CTAPError) -> (certificate: [UInt8], signature: [UInt8]) {
    let data = try draft.authenticatorData(.userPresent, extensions: [:])
    return try mapError(CTAPError.init(other:)) {
      let identity =
        if let identity = profile.u2fIdentity { identity } else {
          try AttestationIdentity(ownKeyOf: draft.key, random: random)
        }
      let statement = try FIDOU2FAttestationMaker(identity).statement(
        for: AttestationSubject(
          authenticatorData: data, clientDataHash: challenge, credentialKey: draft.key, signing: profile.signing))
      guard case .map(let members) = statement, case .bytes(let signature) = members["sig"],
        let certificate = identity.certificates.first
      else { throw PasskeyCryptoError(.invalidKey, "an attestation identity without a certificate") }
      return (certificate, signature)
    }
  }

  // §5.4: user presence, the counter, and a signature over the application, those two, and the challenge.
  private func authenticate(
    _ control: U2FControl, _ challenge: Bytes, _ application: Bytes, _ keyHandle: Bytes, _ state: DeviceState
  ) async throws(U2FStatus) -> [UInt8] {
    // U2F must neither use nor reveal a credential that requires user verification.
    guard let id = try? CredentialID(keyHandle), let found = passkey(id, of: [UInt8](application), state),
      found.algorithm == .es256, found.protection != .userVerificationRequired
    else { throw .wrongData }
    switch control {
    case .checkOnly: throw .conditionsNotSatisfied
    case .enforceUserPresence: try await requireTouch(.signIn, found)
    case .skipUserPresence: break
    }
    return try mapError(U2FStatus.init(of:)) { () throws(CTAPError) in
      let passkey = try countUse(of: found)
      var shown = ByteWriter()
      shown.write(control == .enforceUserPresence ? 0x01 as UInt8 : 0x00)
      shown.write(passkey.signCount)
      let signed = application + shown.bytes + challenge
      let key = try signingKey(of: passkey)
      return shown.bytes
        + (try mapError(key.sign(signed, profile.signing), CTAPError.init(other:)))
    }
  }

  private func requireTouch(_ act: InteractionPurpose.Act, _ passkey: StoredPasskey? = nil) async throws(U2FStatus) {
    let purpose = InteractionPurpose(act, relyingPartyID: passkey?.relyingPartyID, userName: passkey?.user?.name)
    guard await interaction.confirmPresence(for: purpose) == .confirmed else { throw .conditionsNotSatisfied }
  }
}

extension U2FStatus {
  /// The status for a CTAP error. U2F has few.
  fileprivate init(of error: CTAPError) {
    self = error.status == .noCredentials ? .wrongData : .noPreciseDiagnosis
  }
}
