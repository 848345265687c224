// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// CTAP 2.3, §6.1.2, authenticatorMakeCredential.

extension SoftwareAuthenticator {
  func makeCredential(_ parameters: Bytes) async throws(CTAPError) -> [UInt8] {
    let request = try MakeCredentialRequest(parsing: parameters)
    session.sequences.assertions = nil
    try requireAllowedCount(request.excludeList)
    let state = try vault.read()
    let purpose = InteractionPurpose(
      .register, relyingPartyID: request.relyingPartyID, userName: request.user.name ?? request.user.displayName)

    // 1. An empty pinUVAuthParameter only asks for a touch.
    if request.pinUVAuthParameter?.isEmpty == true { try await answerSelection(state) }
    // 2. The pinUVAuthParameter uses a supported protocol.
    try requireProtocol(of: request.pinUVAuthParameter, request.pinUVAuthProtocol)
    // 3. Choose the first algorithm of the request that the device supports.
    let algorithm = try chooseAlgorithm(request.parameters)
    // 4. Initialize "up" and "uv" to false.
    var consent = UserConsent()
    // 5. Validate the options.
    let (isDiscoverable, wantsOwnVerification) = try registrationOptions(request, state)
    // 6. If alwaysUv is set, require user verification, with a token or by the device itself.
    let verifiesItself = try registrationVerification(wantsOwnVerification, request, state)
    // 7. With makeCredUvNotRqd, a discoverable credential on a protected device requires user verification.
    // 8. Without it, every credential does; step 6 has already checked that.
    if isDiscoverable, isProtected(state), request.pinUVAuthParameter == nil, !verifiesItself {
      throw verificationMissing(state)
    }
    // 9. Enterprise attestation is allowed only if it is enabled.
    let isEnterprise = try wantsEnterpriseAttestation(request, state)
    // 10. A non-discoverable credential on a protected device needs no user verification if the request offers none.
    // 11. Otherwise verify the token, or verify the user with the device's own sensor.
    if let parameter = request.pinUVAuthParameter, isProtected(state) {
      try authorize(
        parameter, protocol: request.pinUVAuthProtocol, over: request.clientDataHash, permission: .makeCredential,
        relyingPartyID: request.relyingPartyID)
      consent.isUserVerified = true
    } else if verifiesItself {
      consent = try await verifyConsent(for: purpose, state)
    }
    // 12. The device holds none of the excluded credentials.
    if !request.excludeList.isEmpty { try await refuseExcluded(request, consent, state) }
    // 13. Built-in user verification already counts as user presence.
    // 14. Require user presence. That spends the token.
    try await requireConsent(&consent, parameter: request.pinUVAuthParameter, for: purpose)
    // 15. Process the extensions.
    var extensions = try registrationExtensions(
      request.extensions, request.relyingPartyID, isDiscoverable: isDiscoverable, state)
    // 16. Generate the key pair.
    let draft = try CredentialDraft(
      algorithm, for: request, isDiscoverable: isDiscoverable, extensions, profile, wrapping: state.wrapping, random,
      now: clock.now)
    try answerSecrets(request.extensions, draft.secrets, consent, &extensions)
    // 17. Store a discoverable credential, replacing the same user's previous one. The code stores it after step 19, so
    //     that a failed attestation leaves no credential in the vault.
    // 18. Seal a non-discoverable credential into its id (``CredentialWrapping``), or store it if the vault has no
    //     wrapping key. Profiles that make every credential discoverable, like password managers, never get here.
    // 19. Attest the credential, in the format that the relying party prefers.
    let reply = try attest(draft, request, consent, extensions, isEnterprise: isEnterprise)
    try store(draft)
    // 20. Return the response.
    return reply.encoded
  }
}

// MARK: Steps

extension SoftwareAuthenticator {
  private func chooseAlgorithm(_ parameters: [CredentialParameters]) throws(CTAPError) -> COSEAlgorithm {
    for parameters in parameters where parameters.type == .publicKey && offers(parameters.algorithm) {
      return parameters.algorithm
    }
    let reasons = parameters.map { (parameters) in
      parameters.algorithm.unsupportedReason ?? parameters.algorithm.description
    }
    throw CTAPError(.unsupportedAlgorithm, reasons.joined(separator: ", "))
  }

  /// The algorithms that this build can generate keys for, in the profile's order of preference.
  var offeredAlgorithms: [COSEAlgorithm] {
    if let preset = profile.presetCredential { return [preset.key.algorithm] }
    return profile.algorithms.filter(offers)
  }

  /// Returns whether the device can create credentials with `algorithm`.
  func offers(_ algorithm: COSEAlgorithm) -> Bool {
    if let preset = profile.presetCredential { return preset.key.algorithm == algorithm }
    return algorithm != .rs1 && profile.algorithms.contains(algorithm) && supportedAlgorithms.contains(algorithm)
  }

  private func registrationOptions(
    _ request: MakeCredentialRequest, _ state: DeviceState
  ) throws(CTAPError) -> (isDiscoverable: Bool, wantsOwnVerification: Bool) {
    let wantsOwnVerification = try wantsBuiltInVerification(request.options, request.pinUVAuthParameter, state)
    // Registration always requires user presence.
    guard request.options.userPresence != false else { throw CTAPError(.invalidOption, "up is false") }
    return (request.options.residentKey ?? false || profile.isAlwaysDiscoverable, wantsOwnVerification)
  }

  private func registrationVerification(
    _ wantsOwnVerification: Bool, _ request: MakeCredentialRequest, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard state.settings.alwaysRequiresUserVerification else { return wantsOwnVerification }
    guard isProtected(state) else { throw CTAPError(.pinUVAuthTokenRequired, "the device has no PIN") }
    if request.pinUVAuthParameter != nil { return false }
    guard verifiesUsers(state) else { throw verificationMissing(state) }
    return true
  }

  private func wantsEnterpriseAttestation(
    _ request: MakeCredentialRequest, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard let kind = request.enterpriseAttestation else { return false }
    guard profile.attestation.enterpriseMaker != nil, state.settings.allowsEnterpriseAttestation else {
      throw CTAPError(.invalidParameter, "enterprise attestation is not enabled")
    }
    switch kind {
    case 1: return profile.enterpriseRelyingPartyIDs.contains(request.relyingPartyID)
    case 2: return true
    default: throw CTAPError(.invalidOption, "enterprise attestation of kind \(kind)")
    }
  }

  private func refuseExcluded(
    _ request: MakeCredentialRequest, _ consent: UserConsent, _ state: DeviceState
  ) async throws(CTAPError) {
    let scope = Digest.sha256([UInt8](request.relyingPartyID.utf8))
    let isExcluded = request.excludeList.contains { (descriptor) in
      guard descriptor.type == .publicKey, let passkey = passkey(descriptor.id, of: scope, state) else { return false }
      // Without user verification, do not reveal a credential that requires it.
      return passkey.protection != .userVerificationRequired || consent.isUserVerified
    }
    guard isExcluded else { return }
    if !consent.isUserPresent, request.pinUVAuthParameter == nil || !tokenShowsUserPresence {
      // Every answer but a cancellation gives the same error. The wait prevents a client from probing silently.
      let answer = await interaction.confirmPresence(
        for: InteractionPurpose(.excludedCredential, relyingPartyID: request.relyingPartyID))
      guard answer != .cancelled else { throw CTAPError(.keepaliveCancel) }
    }
    throw CTAPError(.credentialExcluded)
  }

  private func attest(
    _ draft: CredentialDraft, _ request: MakeCredentialRequest, _ consent: UserConsent,
    _ extensions: RegistrationExtensionResult, isEnterprise: Bool
  ) throws(CTAPError) -> MakeCredentialReply {
    let data = try draft.authenticatorData(consent.flags, extensions: extensions.outputs)
    let (maker, identifiesDevice) = profile.attestation.maker(
      preferring: request.attestationFormats, isEnterprise: isEnterprise)
    let subject = AttestationSubject(
      authenticatorData: data, clientDataHash: request.clientDataHash, credentialKey: draft.key,
      signing: profile.signing)
    let statement = try mapError(maker.statement(for: subject), CTAPError.init(other:))
    return MakeCredentialReply(
      format: maker.format, authenticatorData: data, statement: statement,
      isEnterpriseAttestation: identifiesDevice ? true : nil,
      largeBlobKey: extensions.largeBlobKey.map { (key) in key.exposedBytes[...] })
  }

  /// Returns the credential with this id and relying party, from the vault or unsealed from the id.
  func passkey(_ id: CredentialID, of relyingPartyIDHash: [UInt8], _ state: DeviceState) -> StoredPasskey? {
    state.passkey(id, of: relyingPartyIDHash) ?? state.wrapping.open(id, for: relyingPartyIDHash)
  }

  /// Stores a new credential in the vault, unless its id holds it.
  func store(_ draft: CredentialDraft) throws(CTAPError) {
    if !draft.isInCredentialID {
      try vault.update { (state) throws(CTAPError) in
        try state.add(draft.passkey(sequence: state.nextSequence))
      }
      session.sequences.endEnumerations()
    }
    remember(draft.key, of: draft.id, draft.privateKey)
  }
}
