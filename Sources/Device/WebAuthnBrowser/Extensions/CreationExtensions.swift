// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The extension inputs and outputs of a registration with one authenticator.
struct CreationExtensions: Sendable {
  private let inputs: RegistrationInputs
  private let info: AuthenticatorInfo
  private let isDiscoverable: Bool
  /// The salts to evaluate during creation, if the authenticator supports it.
  private let evaluation: SaltEvaluation?

  init(
    _ inputs: RegistrationInputs, _ info: AuthenticatorInfo, isDiscoverable: Bool, _ authorization: Authorization
  ) {
    self.inputs = inputs
    self.info = info
    self.isDiscoverable = isDiscoverable
    // §10.1.4: `prf` returns results only for verified users.
    let canEvaluate =
      info.extensions.contains(ExtensionName.hmacSecret) && info.extensions.contains(ExtensionName.hmacSecretAtCreation)
      && (authorization.isGiven || inputs.prf == nil)
    evaluation = canEvaluate ? inputs.evaluation : nil
  }

  /// Returns the shared secret that encrypts salts and outputs, or nil if there are no salts.
  func secret(with authenticator: ConnectedAuthenticator) async throws(ClientError) -> PlatformSecret? {
    guard evaluation != nil, let version = PINUVAuthProtocol(of: info) else { return nil }
    return try await ClientPIN(authenticator: authenticator, version: version).sharedSecret()
  }

  /// Returns the authenticator extension inputs. Extensions that the authenticator does not support are left out.
  func inputs(with secret: PlatformSecret?) throws(ClientError) -> RegistrationExtensionInputs {
    var asked = RegistrationExtensionInputs()
    if let protection = inputs.protection, knows(ExtensionName.credProtect) {
      asked.credentialProtection = UInt64(protection.policy.rawValue)
    }
    if wantsSecret { asked.hmacSecret = true }
    if let evaluation, let secret { asked.hmacSecretOnCreation = try evaluation.input(with: secret) }
    if let blob = inputs.blob, fits(blob) { asked.credentialBlob = blob[...] }
    if inputs.largeBlob != nil, isDiscoverable, info.storesLargeBlobs { asked.largeBlobKey = true }
    for name in inputs.flags where knows(name) { asked.flags[name] = true }
    return asked
  }

  /// Returns the client extension outputs.
  func outputs(of reply: MakeCredentialReply, secret: PlatformSecret?) throws(ClientError) -> ClientExtensions {
    let answered = try read(reply.authenticatorData.extensions)
    try requireProtection(answered.credProtect)
    var outputs = RegistrationClientOutputs()
    if inputs.asksForProperties { outputs.credProps = CredentialProperties(isDiscoverable: isDiscoverable) }
    let hasSecret = answered.hmacSecret == true
    let results = try evaluated(answered, secret)
    // §10.1.4: without user verification the authenticator evaluates a different PRF.
    let isVerified = reply.authenticatorData.flags.contains(.userVerified)
    if inputs.prf != nil { outputs.prf = PRFOutputs(isEnabled: hasSecret, results: isVerified ? results : nil) }
    if inputs.asksForSecret {
      outputs.hmacCreateSecret = hasSecret
      if inputs.prf == nil, let results { outputs.hmacGetSecret = try HMACSecretOutputs(results) }
    }
    if let largeBlob = inputs.largeBlob {
      guard largeBlob.support != .required || reply.largeBlobKey != nil else {
        throw ClientError(.authenticatorAnswerInvalid, "the credential lacks the required large blob")
      }
      outputs.largeBlob = LargeBlobOutputs(isSupported: reply.largeBlobKey != nil)
    }
    if inputs.blob != nil { outputs.credBlob = answered.credBlob == true }
    if inputs.appIDExclude != nil { outputs.appIDExclude = true }
    return outputs.extensions
  }

  private var wantsSecret: Bool {
    (inputs.prf != nil || inputs.asksForSecret) && knows(ExtensionName.hmacSecret)
  }

  private func knows(_ name: String) -> Bool { info.extensions.contains(name) }

  /// CTAP 2.3 §12.2: a blob that exceeds the authenticator's maximum is not sent.
  private func fits(_ blob: [UInt8]) -> Bool {
    knows(ExtensionName.credBlob) && UInt64(blob.count) <= info.maximumCredentialBlobByteCount ?? 32
  }

  private func read(_ outputs: CBORMap?) throws(ClientError) -> RegistrationAuthenticatorOutputs {
    guard let outputs else { return RegistrationAuthenticatorOutputs() }
    return try mapError(RegistrationAuthenticatorOutputs(outputs), ClientError.init(answer:))
  }

  /// CTAP 2.3 §12.1. Throws if the credential is protected less than required.
  private func requireProtection(_ policy: RegistrationExtension.CredentialProtection?) throws(ClientError) {
    guard let protection = inputs.protection, protection.isEnforced else { return }
    guard policy ?? .userVerificationOptional >= protection.policy else {
      throw ClientError(.authenticatorAnswerInvalid, "the credential is protected less than required")
    }
  }

  private func evaluated(
    _ answered: RegistrationAuthenticatorOutputs, _ secret: PlatformSecret?
  ) throws(ClientError) -> PRFValues? {
    guard let evaluation, let secret, let encrypted = answered.hmacSecretAtCreation else { return nil }
    return try evaluation.outputs(in: encrypted, with: secret)
  }
}
