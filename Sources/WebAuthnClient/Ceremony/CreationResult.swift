// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// §5.1.3 step 22, "if any authenticator indicates success".

/// What an authenticator answered for a new credential, and what the relying party gets of it.
struct CreationResult: Sendable {
  let reply: MakeCredentialReply
  let terms: CreationTerms
  let info: AuthenticatorInfo
  let isDiscoverable: Bool
  let extensions: CreationExtensions
  let secret: PlatformSecret?

  func response() throws(ClientError) -> RegistrationResponse {
    // 1. This is the authenticator: what it says is looked at before it is believed.
    let (id, key) = try checkedCredential()
    // 2. The results of the extensions.
    let outputs = try extensions.outputs(of: reply, secret: secret)
    // 3.1. The attestation is what the relying party asked for.
    // 3.2. It is in one object with the authenticator data,
    let object = conveyed.attestationObject
    // 3.3. which name the credential.
    // 3.4. The response is put together.
    return RegistrationResponse(
      id: id, authenticatorAttachment: info.attachment, clientDataJSON: terms.clientData.encoded,
      attestationObject: object[...], transports: info.listedTransports, clientExtensionResults: outputs,
      copies: RegistrationResponse.Copies(
        authenticatorData: reply.authenticatorData.encoded,
        publicKey: (try? key.subjectPublicKeyInfo).map { (encoding) in encoding[...] },
        publicKeyAlgorithm: key.algorithm))
    // 4, 5. No other authenticator was asked; this is the credential.
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
        throw ClientError(.authenticatorAnswerInvalid, "a key for \(key.algorithm), which was not asked for")
      }
      return (try CredentialID(credential.credentialID), key)
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }

  /// 3.1. Of an attestation that was not asked for nothing is left, but what the authenticator's own key signed and what
  /// names no model. The AAGUID stays: Level 3 does not take it away any longer.
  private var conveyed: MakeCredentialReply {
    guard terms.options.attestation == .none, !isSelfAttestationOfNoModel else { return reply }
    return MakeCredentialReply(format: .none, authenticatorData: reply.authenticatorData, statement: [:])
  }

  private var isSelfAttestationOfNoModel: Bool {
    guard reply.format == .packed, reply.authenticatorData.attestedCredentialData?.aaguid == .zero,
      case .map(let statement) = reply.statement
    else { return false }
    return statement["x5c"] == nil
  }
}
