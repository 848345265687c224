// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// §5.1.3 step 22, "if any authenticator indicates success".

/// Validates an authenticator's response to a registration and builds the response for the relying party.
struct CreationResult: Sendable {
  let reply: MakeCredentialReply
  let terms: CreationTerms
  let info: AuthenticatorInfo
  let isDiscoverable: Bool
  let extensions: CreationExtensions
  let secret: PlatformSecret?

  func response() throws(ClientError) -> RegistrationResponse {
    // 1. This is the authenticator. Validate its response before using it.
    let (id, key) = try checkedCredential()
    // 2. Collect the results of the extensions.
    let outputs = try extensions.outputs(of: reply, secret: secret)
    // 3.1. Apply the relying party's attestation preference.
    // 3.2. Combine attestation and authenticator data in one object,
    let object = conveyed.attestationObject
    // 3.3. which contains the credential ID.
    // 3.4. Build the response.
    return RegistrationResponse(
      id: id, authenticatorAttachment: info.attachment, clientDataJSON: terms.clientData.encoded,
      attestationObject: object[...], transports: info.listedTransports, clientExtensionResults: outputs,
      copies: RegistrationResponse.Copies(
        authenticatorData: reply.authenticatorData.encoded,
        publicKey: (try? key.subjectPublicKeyInfo).map { (encoding) in encoding[...] },
        publicKeyAlgorithm: key.algorithm))
    // 4, 5. There is no other authenticator to cancel; return this credential.
  }

  private func checkedCredential() throws(ClientError) -> (CredentialID, COSEKey) {
    let data = reply.authenticatorData
    try data.requireAnswer(
      for: terms.relyingParty.text,
      requiringVerification: terms.options.authenticatorSelection.userVerification == .required, "a credential")
    guard let credential = data.attestedCredentialData else {
      throw ClientError(.authenticatorAnswerInvalid, "no credential (AT)")
    }
    do {
      let key = try COSEKey(parsing: credential.credentialPublicKey)
      guard terms.parameters.contains(where: { (parameters) in parameters.algorithm == key.algorithm }) else {
        throw ClientError(.authenticatorAnswerInvalid, "a key for \(key.algorithm), which was not requested")
      }
      return (try CredentialID(credential.credentialID), key)
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }

  /// 3.1. The reply with an unrequested attestation replaced by "none". Self attestation with an all-zero AAGUID is
  /// kept, since it identifies no model. The AAGUID is not zeroed: Level 3 no longer asks for that.
  private var conveyed: MakeCredentialReply {
    guard terms.options.attestation == .none, !isSelfAttestationOfNoModel else { return reply }
    return MakeCredentialReply(format: .none, authenticatorData: reply.authenticatorData, statement: [:])
  }

  private var isSelfAttestationOfNoModel: Bool {
    guard reply.format == .packed, reply.authenticatorData.attestedCredentialData?.aaguid == .zero,
      case .map(let statement) = reply.statement.kind
    else { return false }
    return statement["x5c"] == nil
  }
}
