// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The extension inputs and outputs of a sign-in with one authenticator.
struct RequestExtensions: Sendable {
  private let inputs: RequestInputs
  private let authenticator: ConnectedAuthenticator
  private let evaluation: SaltEvaluation?
  private let secret: PlatformSecret?

  /// `credential` is the credential that will sign, if it is already known.
  init(
    _ inputs: RequestInputs, for credential: CredentialID?, _ authenticator: ConnectedAuthenticator,
    _ authorization: Authorization
  ) async throws(ClientError) {
    self.inputs = inputs
    self.authenticator = authenticator
    // §10.1.4: `prf` returns results only for verified users.
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

  /// Returns the authenticator extension inputs. Extensions that the authenticator does not support are left out.
  func authenticatorInputs() throws(ClientError) -> AssertionExtensionInputs {
    var asked = AssertionExtensionInputs()
    if inputs.asksForBlob, authenticator.info.extensions.contains(ExtensionName.credBlob) {
      asked.credentialBlob = true
    }
    if let evaluation, let secret { asked.hmacSecret = try evaluation.input(with: secret) }
    if inputs.largeBlob?.access != nil, authenticator.info.storesLargeBlobs { asked.largeBlobKey = true }
    return asked
  }

  /// Returns the client extension outputs for the chosen assertion.
  func outputs(
    of reply: GetAssertionReply, usedAppID: Bool, _ authorization: Authorization
  ) async throws(ClientError) -> ClientExtensions {
    let answered = try read(reply.authenticatorData.extensions)
    var outputs = AuthenticationClientOutputs()
    if inputs.appID != nil { outputs.appID = usedAppID }
    let results = try evaluated(answered)
    // §10.1.4: without user verification the authenticator evaluates a different PRF.
    let isVerified = reply.authenticatorData.flags.contains(.userVerified)
    if inputs.prf != nil { outputs.prf = PRFOutputs(results: isVerified ? results : nil) }
    if inputs.prf == nil, let results { outputs.hmacGetSecret = try HMACSecretOutputs(results) }
    if inputs.asksForBlob { outputs.getCredBlob = answered.credBlob }
    outputs.largeBlob = await largeBlob(reply.largeBlobKey, authorization)
    return outputs.extensions
  }

  /// WebAuthn §10.1.5, authentication, steps 3 and 4: a failure is reported in the output and does not fail the
  /// ceremony.
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
    return try mapError(AuthenticationAuthenticatorOutputs(outputs), ClientError.init(answer:))
  }
}
