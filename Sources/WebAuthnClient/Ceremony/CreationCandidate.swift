// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// §5.1.3 step 22, "if an authenticator becomes available".

/// The authenticator that a new credential is asked of.
struct CreationCandidate: Sendable {
  let terms: CreationTerms
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction

  private var info: AuthenticatorInfo { authenticator.info }
  private var selection: AuthenticatorSelection { terms.options.authenticatorSelection }

  func run() async throws(ClientError) -> RegistrationResponse {
    // 1. This is the candidate.
    // 2. It is of the kind that is selected.
    try requireSuitable()
    // 3. The credential is discoverable, where that is required, or preferred and possible.
    let isDiscoverable =
      selection.residentKey == .required
      || selection.residentKey == .preferred && info.keepsDiscoverableCredentials
    try requireLargeBlobs(isDiscoverable: isDiscoverable)
    // 4. The user is verified, where that is required, or preferred and possible. An authenticator may demand it besides.
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
    request.show(authorization)
    // 5. An enterprise attestation is asked for where the relying party wants one and the authenticator may give it.
    request.enterpriseAttestation = enterpriseAttestation
    // 6. The formats that the relying party would rather have;
    // 7. or that there be none. One from before there was a choice does not know the parameter.
    let formats = terms.options.attestation == .none ? [.none] : terms.options.attestationFormats
    if !info.attestationFormats.isEmpty { request.attestationFormats = formats }
    // 8. No credential is excluded so far.
    // 9. Those of the list are, by whichever transport they were once reached.
    let search = CredentialSearch(
      authenticator: authenticator, authorization: authorization, scope: terms.relyingParty.text)
    try await exclude(from: &request, search)
    // 10. The authenticator is asked.
    let reply = try authenticator.credential(try await issue(request, search))
    // 11. It has answered.
    return try CreationResult(
      reply: reply, terms: terms, info: info, isDiscoverable: isDiscoverable, extensions: extensions,
      secret: evaluation
    ).response()
  }
}

// MARK: The steps that take more than a line

extension CreationCandidate {
  /// 2. What is selected, and what extensions demand of an authenticator.
  private func requireSuitable() throws(ClientError) {
    // 2.1.
    if let attachment = selection.authenticatorAttachment, attachment != info.attachment {
      throw ClientError(.authenticatorUnsuitable, "it is \(info.attachment), and \(attachment) is asked for")
    }
    // 2.2.
    guard selection.residentKey != .required || info.keepsDiscoverableCredentials else {
      throw ClientError(.residentKeyUnsupported)
    }
    // 2.3.
    guard selection.userVerification != .required || info.canVerifyUsers else {
      throw ClientError(.userVerificationUnsupported, "neither a PIN nor anything else is set up")
    }
    // CTAP 2.3 §12.1: rather none than one that is protected less.
    if let protection = terms.inputs.protection, protection.isEnforced,
      protection.policy != .userVerificationOptional, !info.extensions.contains(ExtensionName.credProtect)
    {
      throw ClientError(.authenticatorUnsuitable, "it cannot protect credentials (credProtect)")
    }
  }

  /// WebAuthn §10.1.5, registration, step 2.2. Such a place is only for discoverable credentials (CTAP 2.3 §12.3).
  private func requireLargeBlobs(isDiscoverable: Bool) throws(ClientError) {
    guard terms.inputs.largeBlob?.support == .required else { return }
    guard info.storesLargeBlobs, isDiscoverable else {
      throw ClientError(.authenticatorUnsuitable, "it keeps no large blob for such a credential")
    }
  }

  /// 4.
  private func wantsVerification(isDiscoverable: Bool) -> Bool {
    selection.userVerification == .required
      || selection.userVerification == .preferred && info.canVerifyUsers
      // §10.1.4: what is evaluated is the function of a verified user.
      || terms.inputs.prf?.evaluating != nil && info.extensions.contains(ExtensionName.hmacSecretAtCreation)
        && info.canVerifyUsers
      || info.demandsVerification(toMakeDiscoverable: isDiscoverable)
  }

  /// 5. By the word of who runs this machine, or by what the maker arranged (CTAP 2.3 §7.1).
  private var enterpriseAttestation: UInt64? {
    guard terms.options.attestation == .enterprise, info.givesEnterpriseAttestation else { return nil }
    return terms.policy.enterpriseRelyingParties.contains(terms.relyingParty) ? 2 : 1
  }

  /// 9. The whole list where the authenticator takes it at once; else the one of its credentials that is in it, if any.
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

  /// 10. A list that is too long after all is looked through.
  private func issue(_ request: MakeCredentialRequest, _ search: CredentialSearch) async throws(ClientError) -> Bytes {
    do throws(CTAPError) {
      return try await authenticator.perform(.makeCredential, request.encoded)
    } catch {
      guard error.isAboutSize, request.excludeList.count > 1 else { throw ClientError(error) }
    }
    var shorter = request
    shorter.excludeList = try await search.first(of: request.excludeList).map { (found) in [found] } ?? []
    return try await authenticator.require(.makeCredential, shorter.encoded)
  }

  /// §10.1.2: a credential from the days of U2F is as good a reason, once the user has agreed to tell. A token would be for
  /// another scope; where every command takes one, there are no such credentials (CTAP 2.3 §7.2).
  private func refuse(_ list: [CredentialDescriptor], madeFor appID: String) async throws(ClientError) {
    guard !info.alwaysVerifiesUsers else { return }
    let search = CredentialSearch(authenticator: authenticator, authorization: .none, scope: appID)
    guard let found = try await search.first(of: list) else { return }
    let request = GetAssertionRequest(
      relyingPartyID: appID, clientDataHash: CredentialSearch.worthlessHash, allowList: [found])
    _ = try await authenticator.require(.getAssertion, request.encoded)
    throw ClientError(.credentialExcluded, "a credential that was made for the AppID")
  }
}
