// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// §5.1.3 step 22, "if an authenticator becomes available".

/// Creates a credential on one authenticator.
struct CreationCandidate: Sendable {
  let terms: CreationTerms
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction

  private var info: AuthenticatorInfo { authenticator.info }
  private var selection: AuthenticatorSelection { terms.options.authenticatorSelection }

  func run() async throws(ClientError) -> RegistrationResponse {
    // 1. This authenticator is the candidate.
    // 2. Require that it matches the authenticator selection.
    try requireSuitable()
    // 3. Create a discoverable credential if one is required, or preferred and supported.
    let isDiscoverable =
      selection.residentKey == .required
      || selection.residentKey == .preferred && info.keepsDiscoverableCredentials
    try requireLargeBlobs(isDiscoverable: isDiscoverable)
    // 4. Verify the user if that is required, or preferred and supported. The authenticator may require it too.
    guard wantsVerification(isDiscoverable: isDiscoverable) else {
      return try await run(isDiscoverable: isDiscoverable, .none)
    }
    return try await UserVerifier(
      authenticator: authenticator, interaction: interaction, relyingParty: terms.relyingParty
    ).authorized(for: [.makeCredential, .getAssertion]) { (authorization) async throws(ClientError) in
      try await run(isDiscoverable: isDiscoverable, authorization)
    }
  }

  private func run(
    isDiscoverable: Bool, _ authorization: Authorization
  ) async throws(ClientError) -> RegistrationResponse {
    let extensions = CreationExtensions(terms.inputs, info, isDiscoverable: isDiscoverable, authorization)
    let evaluation = try await extensions.secret(with: authenticator)
    var request = MakeCredentialRequest(
      clientDataHash: terms.clientDataHash, relyingPartyID: terms.relyingParty.text,
      relyingPartyName: terms.options.relyingParty.name,
      user: PasskeyUser(
        id: terms.options.user.id, name: terms.options.user.name, displayName: terms.options.user.displayName),
      parameters: terms.parameters)
    request.extensions = try extensions.inputs(with: evaluation)
    request.options.residentKey = isDiscoverable ? true : nil
    request.add(authorization)
    // 5. Request enterprise attestation if the relying party asks for it and the authenticator supports it.
    request.enterpriseAttestation = enterpriseAttestation
    // 6. Pass the attestation formats that the relying party prefers,
    // 7. or "none". Authenticators that predate this parameter do not receive it.
    let formats = terms.options.attestation == .none ? [.none] : terms.options.attestationFormats
    if !info.attestationFormats.isEmpty { request.attestationFormats = formats }
    // 8. Start with an empty exclude list.
    // 9. Add the listed credentials, whatever transports they name.
    let search = CredentialSearch(
      authenticator: authenticator, authorization: authorization, scope: terms.relyingParty.text)
    try await exclude(from: &request, search)
    // 10. Send the request to the authenticator.
    let reply = try authenticator.credential(try await issue(request, search))
    // 11. Process its response.
    return try CreationResult(
      reply: reply, terms: terms, info: info, isDiscoverable: isDiscoverable, extensions: extensions,
      secret: evaluation
    ).response()
  }
}

// MARK: The steps that take more than a line

extension CreationCandidate {
  /// 2. Checks the authenticator against the selection criteria and the requirements of extensions.
  private func requireSuitable() throws(ClientError) {
    // 2.1.
    if let attachment = selection.authenticatorAttachment, attachment != info.attachment {
      throw ClientError(.authenticatorUnsuitable, "it is \(info.attachment), and the options require \(attachment)")
    }
    // 2.2.
    guard selection.residentKey != .required || info.keepsDiscoverableCredentials else {
      throw ClientError(.residentKeyUnsupported)
    }
    // 2.3.
    guard selection.userVerification != .required || info.canVerifyUsers else {
      throw ClientError(.userVerificationUnsupported, "no PIN and no other user verification is set up")
    }
    // CTAP 2.3 §12.1: fail rather than create a credential with weaker protection.
    if let protection = terms.inputs.protection, protection.isEnforced,
      protection.policy != .userVerificationOptional, !info.extensions.contains(ExtensionName.credProtect)
    {
      throw ClientError(.authenticatorUnsuitable, "it cannot protect credentials (credProtect)")
    }
  }

  /// WebAuthn §10.1.5, registration, step 2.2. Only discoverable credentials can have a large blob (CTAP 2.3 §12.3).
  private func requireLargeBlobs(isDiscoverable: Bool) throws(ClientError) {
    guard terms.inputs.largeBlob?.support == .required else { return }
    guard info.storesLargeBlobs, isDiscoverable else {
      throw ClientError(.authenticatorUnsuitable, "it stores no large blob for such a credential")
    }
  }

  /// 4. Returns whether the user has to be verified.
  private func wantsVerification(isDiscoverable: Bool) -> Bool {
    selection.userVerification == .required
      || selection.userVerification == .preferred && info.canVerifyUsers
      // §10.1.4: `prf` uses the PRF for verified users.
      || terms.inputs.prf?.evaluating != nil && info.extensions.contains(ExtensionName.hmacSecretAtCreation)
        && info.canVerifyUsers
      || info.demandsVerification(toMakeDiscoverable: isDiscoverable)
  }

  /// 5. The enterprise attestation to request (CTAP 2.3 §7.1): 2, platform-managed, if the client's policy allows it
  /// for the relying party, or else 1, vendor-facilitated. Nil if not requested or not supported.
  private var enterpriseAttestation: UInt64? {
    guard terms.options.attestation == .enterprise, info.givesEnterpriseAttestation else { return nil }
    return terms.policy.enterpriseRelyingParties.contains(terms.relyingParty) ? 2 : 1
  }

  /// 9. Sends the whole exclude list if the authenticator accepts its size. Otherwise sends the first listed credential
  /// that the authenticator has, if any.
  private func exclude(
    from request: inout MakeCredentialRequest, _ search: CredentialSearch
  ) async throws(ClientError) {
    let list = search.candidates(of: terms.options.excludeCredentials)
    if let appID = terms.inputs.appIDExclude { try await refuse(list, madeFor: appID) }
    if search.fits(list, besides: request.encoded.count) {
      request.excludeList = list
    } else {
      request.excludeList = try await search.first(of: list).map { (found) in [found] } ?? []
    }
  }

  /// 10. Sends the request. If the list is still too long, searches it and retries with at most one credential.
  private func issue(_ request: MakeCredentialRequest, _ search: CredentialSearch) async throws(ClientError) -> [UInt8]
  {
    do throws(CTAPError) {
      return try await authenticator.perform(.makeCredential, request.encoded)
    } catch {
      guard error.isAboutSize, request.excludeList.count > 1 else { throw ClientError(error) }
    }
    var shorter = request
    shorter.excludeList = try await search.first(of: request.excludeList).map { (found) in [found] } ?? []
    return try await authenticator.require(.makeCredential, shorter.encoded)
  }

  /// §10.1.2: also refuses if the authenticator has a U2F credential for the AppID, after the user has confirmed. Sends
  /// no token, because a token is bound to the RP ID. Skipped if every command requires a token: such an authenticator
  /// has no U2F credentials (CTAP 2.3 §7.2).
  private func refuse(_ list: [CredentialDescriptor], madeFor appID: String) async throws(ClientError) {
    guard !info.alwaysVerifiesUsers else { return }
    let search = CredentialSearch(authenticator: authenticator, authorization: .none, scope: appID)
    guard let found = try await search.first(of: list) else { return }
    let request = GetAssertionRequest(
      relyingPartyID: appID, clientDataHash: CredentialSearch.placeholderHash, allowList: [found])
    _ = try await authenticator.require(.getAssertion, request.encoded)
    throw ClientError(.credentialExcluded, "a credential that was created for the AppID")
  }
}
