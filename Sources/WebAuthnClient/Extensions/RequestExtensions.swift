// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// What one authenticator is asked of the extensions of a sign-in, and what comes of it.
struct RequestExtensions: Sendable {
  private let inputs: RequestInputs
  private let authenticator: ConnectedAuthenticator
  private let evaluation: SaltEvaluation?
  private let secret: PlatformSecret?

  /// `credential` is the one that will sign, where that is known.
  init(
    _ inputs: RequestInputs, for credential: CredentialID?, _ authenticator: ConnectedAuthenticator,
    _ authorization: Authorization
  ) async throws(ClientError) {
    self.inputs = inputs
    self.authenticator = authenticator
    // §10.1.4: only what a verified user gets is `prf`'s.
    guard authenticator.info.extensions.contains(ExtensionName.hmacSecret),
      authorization.isGiven || inputs.prf == nil,
      let version = PINUVAuthProtocol(of: authenticator.info), let evaluation = inputs.evaluation(for: credential)
    else {
      (self.evaluation, secret) = (nil, nil)
      return
    }
    self.evaluation = evaluation
    secret = try await ClientPIN(authenticator: authenticator, version: version).sharedSecret()
  }

  /// The authenticator's extension inputs: nothing that it does not know.
  func authenticatorInputs() throws(ClientError) -> AssertionExtensionInputs {
    var asked = AssertionExtensionInputs()
    if inputs.asksForBlob, authenticator.info.extensions.contains(ExtensionName.credBlob) {
      asked.credentialBlob = true
    }
    if let evaluation, let secret { asked.hmacSecret = try evaluation.input(with: secret) }
    if inputs.largeBlob?.access != nil, authenticator.info.storesLargeBlobs { asked.largeBlobKey = true }
    return asked
  }

  /// The client extension outputs for the assertion that was chosen.
  func outputs(
    of reply: GetAssertionReply, usedAppID: Bool, _ authorization: Authorization
  ) async throws(ClientError) -> ClientExtensions {
    let answered = try read(reply.authenticatorData.extensions)
    var outputs = AuthenticationClientOutputs()
    if inputs.appID != nil { outputs.appID = usedAppID }
    let results = try evaluated(answered)
    // §10.1.4: what an authenticator evaluates for somebody whom it did not verify is another function.
    let isVerified = reply.authenticatorData.flags.contains(.userVerified)
    if inputs.prf != nil { outputs.prf = PRFOutputs(results: isVerified ? results : nil) }
    if inputs.prf == nil, let results { outputs.hmacGetSecret = try HMACSecretOutputs(results) }
    if inputs.asksForBlob { outputs.getCredBlob = answered.credBlob }
    outputs.largeBlob = await largeBlob(reply.largeBlobKey, authorization)
    return outputs.extensions
  }

  /// WebAuthn §10.1.5, authentication, steps 3 and 4: what fails there is told, and spoils nothing.
  private func largeBlob(_ key: Bytes?, _ authorization: Authorization) async -> LargeBlobOutputs? {
    let key = key.map { (key) in SecretBytes(key) }
    let store = LargeBlobStore(authenticator: authenticator)
    switch inputs.largeBlob?.access {
    case .read?:
      guard let key else { return LargeBlobOutputs() }
      return LargeBlobOutputs(blob: try? await store.read(key))
    case .write(let blob)?:
      guard let key else { return LargeBlobOutputs(isWritten: false) }
      return LargeBlobOutputs(isWritten: (try? await store.write(blob, key, authorization)) != nil)
    case nil: return nil
    }
  }

  private func evaluated(_ answered: AuthenticationAuthenticatorOutputs) throws(ClientError) -> PRFValues? {
    guard let evaluation, let secret, let encrypted = answered.hmacSecret else { return nil }
    return try evaluation.outputs(in: encrypted, with: secret)
  }

  private func read(_ outputs: CBORMap?) throws(ClientError) -> AuthenticationAuthenticatorOutputs {
    guard let outputs else { return AuthenticationAuthenticatorOutputs() }
    do throws(FormatError) {
      return try AuthenticationAuthenticatorOutputs(outputs)
    } catch {
      throw ClientError(answer: error)
    }
  }
}
