// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// §5.1.4.2, issuing a credential request to an authenticator; and §5.1.4.1 step 20, "if any authenticator indicates
// success".

/// Requests an assertion from one authenticator.
struct RequestCandidate: Sendable {
  let terms: RequestTerms
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction

  private var info: AuthenticatorInfo { authenticator.info }

  /// The scope of a credential search: the RP ID, or a legacy U2F AppID.
  private struct Target {
    var scope: String
    var allowList: [CredentialDescriptor]?
    var usesAppID = false
  }

  func run() async throws(ClientError) -> AuthenticationResponse {
    // §5.1.4.2, 1. Require user verification support if the options require verification.
    guard terms.options.userVerification != .required || info.canVerifyUsers else {
      throw ClientError(.userVerificationUnavailable, "no PIN and no other user verification is set up")
    }
    // 2. Verify the user if that is required, or preferred and supported. Some extensions require it too.
    guard wantsVerification else { return try await run(.none) }
    return try await UserVerifier(
      authenticator: authenticator, interaction: interaction, relyingParty: terms.relyingParty
    ).authorized(for: permissions) { (authorization) async throws(ClientError) in try await run(authorization) }
  }

  private func run(_ verification: Authorization) async throws(ClientError) -> AuthenticationResponse {
    // 3. Use the listed credentials that may belong to the authenticator; without a list, any of its credentials.
    let target = try await target(verification)
    // The token is bound to the RP ID, and U2F credentials do not support user verification.
    let authorization = target.usesAppID ? .none : verification
    let extensions = try await RequestExtensions(
      terms.inputs, for: target.allowList.flatMap { (list) in list.count == 1 ? list.first?.id : nil }, authenticator,
      authorization)
    var request = GetAssertionRequest(
      relyingPartyID: target.scope, clientDataHash: terms.clientDataHash, allowList: target.allowList)
    request.extensions = try extensions.authenticatorInputs()
    request.add(authorization)
    // 4. Issue the request.
    let reply = try await issue(&request, authorization)
    let assertion = try await AssertionChoice(
      authenticator: authenticator, interaction: interaction, terms: terms, request: request
    ).choose(from: reply)
    // §5.1.4.1 step 20, "success", 2. Collect the results of the extensions.
    let outputs = try await extensions.outputs(
      of: assertion.reply, usedAppID: target.usesAppID, authorization)
    // 3 to 5. There is no filter; a discoverable credential is returned with its user.
    // 6. Build the response.
    return AuthenticationResponse(
      id: assertion.credential, authenticatorAttachment: info.attachment, clientDataJSON: terms.clientData.encoded,
      authenticatorData: assertion.reply.authenticatorData.encoded, signature: assertion.reply.signature,
      userHandle: assertion.reply.user?.id, clientExtensionResults: outputs)
    // 7, 8. There is no other authenticator to cancel; return this assertion.
  }
}

// MARK: The steps that take more than a line

extension RequestCandidate {
  /// 2. Whether the user has to be verified.
  private var wantsVerification: Bool {
    terms.options.userVerification == .required
      || info.canVerifyUsers && (terms.options.userVerification == .preferred || info.alwaysVerifiesUsers)
      // §10.1.4: `prf` uses the PRF for verified users.
      || info.canVerifyUsers && terms.inputs.evaluatesPRF && info.extensions.contains(ExtensionName.hmacSecret)
      // CTAP 2.3 §6.10.2: writing large blobs to a protected authenticator requires a token.
      || info.canVerifyUsers && writesLargeBlob
  }

  private var permissions: TokenPermissions { writesLargeBlob ? [.getAssertion, .largeBlobWrite] : .getAssertion }

  private var writesLargeBlob: Bool { terms.inputs.blobToWrite != nil && info.storesLargeBlobs }

  /// 3. Returns the scope and the allow list of the request. If the list is too long, or an input depends on which
  /// credential signs, searches for the matching credential without user presence first.
  private func target(_ authorization: Authorization) async throws(ClientError) -> Target {
    let list = terms.options.allowCredentials
    let scope = terms.relyingParty.text
    guard !list.isEmpty else { return Target(scope: scope) }
    let search = search(authorization, scope)
    let candidates = search.candidates(of: list)
    guard !candidates.isEmpty else {
      throw await noCredentials("no requested credential can be on this authenticator")
    }
    let isKnown = list.count == 1 || !terms.inputs.dependsOnCredential
    if terms.inputs.appID == nil, isKnown, search.fits(candidates, besides: byteCount(authorization)) {
      return Target(scope: scope, allowList: candidates)
    }
    if let found = try await search.first(of: candidates) { return Target(scope: scope, allowList: [found]) }
    // §10.1.1, step 4: retry with the AppID. U2F never verifies users.
    let wantsVerification = terms.options.userVerification == .required || info.alwaysVerifiesUsers
    if let appID = terms.inputs.appID, !wantsVerification,
      let found = try await self.search(.none, appID).first(of: candidates)
    {
      return Target(scope: appID, allowList: [found], usesAppID: true)
    }
    throw await noCredentials("the authenticator has no requested credential")
  }

  private func search(_ authorization: Authorization, _ scope: String) -> CredentialSearch {
    CredentialSearch(authenticator: authenticator, authorization: authorization, scope: scope)
  }

  /// Returns the size of the request without its list. Extension inputs count with their maximum size.
  private func byteCount(_ authorization: Authorization) -> Int {
    var request = GetAssertionRequest(relyingPartyID: terms.relyingParty.text, clientDataHash: terms.clientDataHash)
    request.add(authorization)
    return request.encoded.count + terms.inputs.maximumByteCount
  }

  /// 4. Issues the request. If the list is still too long, searches it and retries with one credential.
  private func issue(
    _ request: inout GetAssertionRequest, _ authorization: Authorization
  ) async throws(ClientError) -> [UInt8] {
    do throws(CTAPError) {
      return try await authenticator.perform(.getAssertion, request.encoded)
    } catch {
      // Before CTAP 2.1 the authenticator asked for a touch itself before this error.
      if error.saysThatThereIsNone, info.asksForGesture {
        await authenticator.awaitGesture(for: request.relyingPartyID)
      }
      guard error.isAboutSize, let list = request.allowList, list.count > 1 else { throw ClientError(error) }
      guard let found = try await search(authorization, request.relyingPartyID).first(of: list) else {
        throw await noCredentials("the authenticator has no requested credential")
      }
      request.allowList = [found]
    }
    return try await authenticator.require(.getAssertion, request.encoded)
  }

  /// Returns the error for missing credentials. It first waits for a gesture as if there were one: otherwise the caller
  /// could tell a missing credential from a user who refuses (§14.5.2).
  private func noCredentials(_ detail: String) async -> ClientError {
    await authenticator.awaitGesture(for: terms.relyingParty.text)
    return ClientError(.noCredentials, detail)
  }
}
