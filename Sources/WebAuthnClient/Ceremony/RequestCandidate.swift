// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
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
    guard wantsVerification else { return try await run(.none) }
    return try await UserVerifier(
      authenticator: authenticator, interaction: interaction, relyingParty: terms.relyingParty
    ).authorized(for: permissions) { (authorization) async throws(ClientError) in try await run(authorization) }
  }

  private func run(_ verification: Authorization) async throws(ClientError) -> AuthenticationResponse {
    // 3. Of a list, the credentials that may be the authenticator's; without one, any that it has.
    let target = try await target(verification)
    // A token is for the RP ID, and a credential from the days of U2F knows no users.
    let authorization = target.usesAppID ? .none : verification
    let extensions = try await RequestExtensions(
      terms.inputs, for: target.allowList.flatMap { (list) in list.count == 1 ? list.first?.id : nil }, authenticator,
      authorization)
    var request = GetAssertionRequest(
      relyingPartyID: target.scope, clientDataHash: terms.clientDataHash, allowList: target.allowList)
    request.extensions = try extensions.authenticatorInputs()
    request.show(authorization)
    // 4. The request is issued.
    let reply = try await issue(&request, authorization)
    let assertion = try await AssertionChoice(
      authenticator: authenticator, interaction: interaction, terms: terms, request: request
    ).choose(from: reply)
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
  private var wantsVerification: Bool {
    terms.options.userVerification == .required
      || info.canVerifyUsers && (terms.options.userVerification == .preferred || info.alwaysVerifiesUsers)
      // §10.1.4: what is evaluated is the function of a verified user.
      || info.canVerifyUsers && terms.inputs.evaluatesPRF && info.extensions.contains(ExtensionName.hmacSecret)
      // CTAP 2.3 §6.10.2: whoever writes blobs on a protected authenticator has a token for it.
      || info.canVerifyUsers && writesLargeBlob
  }

  private var permissions: TokenPermissions { writesLargeBlob ? [.getAssertion, .largeBlobWrite] : .getAssertion }

  private var writesLargeBlob: Bool { terms.inputs.blobToWrite != nil && info.storesLargeBlobs }

  /// 3. Where the list is too long, or it matters beforehand which credential it will be, the authenticator is asked for it
  /// without a touch.
  private func target(_ authorization: Authorization) async throws(ClientError) -> Target {
    let list = terms.options.allowCredentials
    let scope = terms.relyingParty.text
    guard !list.isEmpty else { return Target(scope: scope) }
    let search = search(authorization, scope)
    let candidates = search.candidates(of: list)
    guard !candidates.isEmpty else {
      throw await noCredentials("none of those that are asked for can be the authenticator's")
    }
    let isKnown = list.count == 1 || !terms.inputs.dependsOnCredential
    if terms.inputs.appID == nil, isKnown, search.fits(candidates, besides: byteCount(authorization)) {
      return Target(scope: scope, allowList: candidates)
    }
    if let found = try await search.first(of: candidates) { return Target(scope: scope, allowList: [found]) }
    // §10.1.1, step 4: once more, for the AppID. Nobody was ever verified by U2F.
    let wantsVerification = terms.options.userVerification == .required || info.alwaysVerifiesUsers
    if let appID = terms.inputs.appID, !wantsVerification,
      let found = try await self.search(.none, appID).first(of: candidates)
    {
      return Target(scope: appID, allowList: [found], usesAppID: true)
    }
    throw await noCredentials("the authenticator has none of those that are asked for")
  }

  private func search(_ authorization: Authorization, _ scope: String) -> CredentialSearch {
    CredentialSearch(authenticator: authenticator, authorization: authorization, scope: scope)
  }

  /// How long the request is without its list, as far as that is known beforehand.
  private func byteCount(_ authorization: Authorization) -> Int {
    var request = GetAssertionRequest(relyingPartyID: terms.relyingParty.text, clientDataHash: terms.clientDataHash)
    request.show(authorization)
    return request.encoded.count + terms.inputs.maximumByteCount
  }

  /// 4. A list that is too long after all is looked through.
  private func issue(
    _ request: inout GetAssertionRequest, _ authorization: Authorization
  ) async throws(ClientError) -> Bytes {
    do throws(CTAPError) {
      return try await authenticator.perform(.getAssertion, request.encoded)
    } catch {
      // Before CTAP 2.1 a touch came first.
      if error.saysThatThereIsNone, info.asksForGesture {
        await authenticator.awaitGesture(for: request.relyingPartyID)
      }
      guard error.isAboutSize, let list = request.allowList, list.count > 1 else { throw ClientError(error) }
      guard let found = try await search(authorization, request.relyingPartyID).first(of: list) else {
        throw await noCredentials("the authenticator has none of those that are asked for")
      }
      request.allowList = [found]
    }
    return try await authenticator.require(.getAssertion, request.encoded)
  }

  /// That there is none must not be told from a user who does not agree (§14.5.2): somebody is asked first, as if there were.
  private func noCredentials(_ detail: String) async -> ClientError {
    await authenticator.awaitGesture(for: terms.relyingParty.text)
    return ClientError(.noCredentials, detail)
  }
}
