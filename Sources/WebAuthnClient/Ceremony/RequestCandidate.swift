// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// §5.1.4.2, issuing a credential request to an authenticator; and §5.1.4.1 step 20, "if any authenticator indicates
// success".

/// The authenticator that an assertion is asked of.
struct RequestCandidate: Sendable {
  let terms: RequestTerms
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction

  private var info: AuthenticatorInfo { authenticator.info }

  /// Under which scope a credential is looked for: the RP ID, or an AppID from the days of U2F.
  private struct Target {
    var scope: String
    var allowList: [CredentialDescriptor]?
    var usesAppID = false
  }

  func run() async throws(ClientError) -> AuthenticationResponse {
    // §5.1.4.2, 1. It can verify users, where that is required.
    guard terms.options.userVerification != .required || info.canVerifyUsers else {
      throw ClientError(.userVerificationUnavailable, "neither a PIN nor anything else is set up")
    }
    // 2. The user is verified, where that is required, or preferred and possible. Some extensions take it besides.
    var authorization = try await authorize()
    // 3. Of a list, the credentials that may be the authenticator's; without one, any that it has.
    let target = try await target(authorization)
    // A token is for the RP ID, and a credential from the days of U2F knows no users.
    if target.usesAppID { authorization = .none }
    let extensions = try await RequestExtensions(
      terms.inputs, for: target.allowList.flatMap { (list) in list.count == 1 ? list.first?.id : nil }, authenticator,
      authorization)
    var request = GetAssertionRequest(
      relyingPartyID: target.scope, clientDataHash: terms.clientDataHash, allowList: target.allowList)
    request.extensions = try extensions.authenticatorInputs()
    request.options.userVerification = authorization.userVerificationOption
    if let parameters = authorization.parameters(for: terms.clientDataHash) {
      (request.pinUVAuthParameter, request.pinUVAuthProtocol) = (parameters.tag, parameters.version)
    }
    // 4. The request is issued.
    let assertion = try await AssertionChoice(
      authenticator: authenticator, interaction: interaction, terms: terms, request: request
    ).run()
    // §5.1.4.1 step 20, "success", 2. The results of the extensions.
    let outputs = try await extensions.outputs(
      of: assertion.reply, usedAppID: target.usesAppID, authorization)
    // 3 to 5. There is no filter; a discoverable credential has come with its user.
    // 6. The response is put together.
    return AuthenticationResponse(
      id: assertion.credential, authenticatorAttachment: info.attachment, clientDataJSON: terms.clientData.encoded,
      authenticatorData: assertion.reply.authenticatorData.encoded, signature: assertion.reply.signature,
      userHandle: assertion.reply.user?.id, clientExtensionResults: outputs)
    // 7, 8. No other authenticator was asked; this is the assertion.
  }
}

// MARK: The steps that take more than a line

extension RequestCandidate {
  /// 2.
  private func authorize() async throws(ClientError) -> Authorization {
    let isWanted =
      terms.options.userVerification == .required
      || info.canVerifyUsers && (terms.options.userVerification == .preferred || info.alwaysVerifiesUsers)
      // §10.1.4: what is evaluated is the function of a verified user.
      || info.canVerifyUsers && terms.inputs.evaluatesPRF && info.extensions.contains(ExtensionName.hmacSecret)
      // CTAP 2.3 §6.10.2: whoever writes blobs on a protected authenticator has a token for it.
      || info.canVerifyUsers && terms.inputs.blobToWrite != nil && info.storesLargeBlobs
    guard isWanted else { return .none }
    var permissions: TokenPermissions = .getAssertion
    if terms.inputs.blobToWrite != nil, info.storesLargeBlobs { permissions.insert(.largeBlobWrite) }
    return try await UserVerifier(
      authenticator: authenticator, interaction: interaction, relyingParty: terms.relyingParty
    ).verify(for: permissions)
  }

  /// 3. Where the list is too long, or it matters beforehand which credential it will be, the authenticator is asked for it
  /// without a touch.
  private func target(_ authorization: Authorization) async throws(ClientError) -> Target {
    let list = terms.options.allowCredentials
    let scope = terms.relyingParty.text
    guard !list.isEmpty else { return Target(scope: scope) }
    let search = CredentialSearch(authenticator: authenticator, authorization: authorization)
    let batches = search.batches(of: list)
    guard let first = batches.first else {
      throw ClientError(.noCredentials, "none of those that are asked for can be the authenticator's")
    }
    let needsOne = batches.count > 1 || terms.inputs.appID != nil || terms.inputs.dependsOnCredential
    guard needsOne, list.count > 1 || terms.inputs.appID != nil else { return Target(scope: scope, allowList: first) }
    if let found = try await search.first(of: list, scope: scope) { return Target(scope: scope, allowList: [found]) }
    // §10.1.1, step 4: once more, for the AppID. Nobody was ever verified by U2F.
    let wantsVerification = terms.options.userVerification == .required || info.alwaysVerifiesUsers
    if let appID = terms.inputs.appID, !wantsVerification {
      let search = CredentialSearch(authenticator: authenticator, authorization: .none)
      if let found = try await search.first(of: list, scope: appID) {
        return Target(scope: appID, allowList: [found], usesAppID: true)
      }
    }
    throw ClientError(.noCredentials, "the authenticator has none of those that are asked for")
  }
}
