// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// CTAP 2.3, §6.1.2, authenticatorMakeCredential.

extension SoftwareAuthenticator {
  func makeCredential(_ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let request = try MakeCredentialRequest(parsing: parameters)
    session.sequences.assertions = nil
    try requireAllowedCount(request.excludeList)
    let state = try vault.read()
    let purpose = InteractionPurpose(
      .register, relyingPartyID: request.relyingPartyID, userName: request.user.name ?? request.user.displayName)

    // 1. An empty parameter asks for a touch, and for nothing else.
    if request.pinUVAuthParameter?.isEmpty == true { try await answerSelection(state) }
    // 2. The parameter is of a protocol that the device has.
    try requireProtocol(of: request.pinUVAuthParameter, request.pinUVAuthProtocol)
    // 3. The relying party's first algorithm that the device has is the credential's.
    let algorithm = try chooseAlgorithm(request.parameters)
    // 4. So far nobody was there.
    var consent = UserConsent()
    // 5. The options are looked at.
    let (isDiscoverable, wantsOwnVerification) = try registrationOptions(request, state)
    // 6. Where every command takes user verification, there is a way to it, and it is taken.
    let verifiesItself = try registrationVerification(wantsOwnVerification, request, state)
    // 7. Where that depends on the credential, a discoverable one of a protected device takes user verification.
    // 8. Where it does not, every one does: step 6 has seen to it.
    if isDiscoverable, isProtected(state), request.pinUVAuthParameter == nil, !verifiesItself {
      throw verificationMissing(state)
    }
    // 9. An enterprise attestation is only asked for where the device was allowed to give one.
    let isEnterprise = try wantsEnterpriseAttestation(request, state)
    // 10. A credential that need not be protected is made without user verification where none is offered.
    // 11. Else the token is one for this, or the device verifies the user itself.
    if let parameter = request.pinUVAuthParameter, isProtected(state) {
      try authorize(
        parameter, protocol: request.pinUVAuthProtocol, over: request.clientDataHash, permission: .makeCredential,
        relyingPartyID: request.relyingPartyID)
      consent.isUserVerified = true
    } else if verifiesItself {
      consent = try await verifyConsent(for: purpose, state)
    }
    // 12. None of the excluded credentials is here.
    if !request.excludeList.isEmpty { try await refuseExcluded(request, consent, state) }
    // 13. A touch for user verification is a touch: it was noted with it.
    // 14. Somebody is there. That spends the token.
    try await requireConsent(&consent, parameter: request.pinUVAuthParameter, for: purpose)
    // 15. The extensions are processed.
    var extensions = try registrationExtensions(
      request.extensions, request.relyingPartyID, isDiscoverable: isDiscoverable, state)
    // 16. The key pair is made.
    let draft = try CredentialDraft(
      algorithm, for: request, isDiscoverable: isDiscoverable, extensions, profile, wrapping: state.wrapping, random,
      now: clock.now)
    try answerSecrets(request.extensions, draft.secrets, consent, &extensions)
    // 17. A discoverable credential is kept, in the place of the user's last one: after the next step but one, so that
    //     a failure leaves nothing behind.
    // 18. One that is not is sealed into its id (``CredentialWrapping``), or kept in a vault without a wrapping key. Where
    //     the profile makes every credential discoverable, as password managers do, there are none of those.
    // 19. The credential is attested, in the format that the relying party would rather have.
    let reply = try attest(draft, request, consent, extensions, isEnterprise: isEnterprise)
    try keep(draft)
    // 20. The reply is sent.
    return reply.encoded[...]
  }
}

// MARK: The steps that take more than a line

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

  /// The algorithms of which this build can make keys, by the profile's preference.
  var offeredAlgorithms: [COSEAlgorithm] {
    if let preset = profile.presetCredential { return [preset.key.algorithm] }
    return profile.algorithms.filter(offers)
  }

  /// Whether it is one of them.
  func offers(_ algorithm: COSEAlgorithm) -> Bool {
    if let preset = profile.presetCredential { return preset.key.algorithm == algorithm }
    return algorithm != .rs1 && profile.algorithms.contains(algorithm) && supportedAlgorithms.contains(algorithm)
  }

  private func registrationOptions(
    _ request: MakeCredentialRequest, _ state: DeviceState
  ) throws(CTAPError) -> (isDiscoverable: Bool, wantsOwnVerification: Bool) {
    let wantsOwnVerification = try wantsBuiltInVerification(request.options, request.pinUVAuthParameter, state)
    // A credential is not made behind the user's back.
    guard request.options.userPresence != false else { throw CTAPError(.invalidOption, "up is false") }
    return (request.options.residentKey ?? false || profile.isAlwaysDiscoverable, wantsOwnVerification)
  }

  private func registrationVerification(
    _ wantsOwnVerification: Bool, _ request: MakeCredentialRequest, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard state.settings.alwaysRequiresUserVerification else { return wantsOwnVerification }
    guard isProtected(state) else { throw CTAPError(.pinUVAuthTokenRequired, "there is no PIN yet") }
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
    let scope = Digest.sha256([UInt8](request.relyingPartyID.utf8)[...])
    let isExcluded = request.excludeList.contains { (descriptor) in
      guard descriptor.type == .publicKey, let passkey = passkey(descriptor.id, of: scope, state) else { return false }
      // One that is only for verified users is not even admitted to exist to others.
      return passkey.protection != .userVerificationRequired || consent.isUserVerified
    }
    guard isExcluded else { return }
    if !consent.isUserPresent, request.pinUVAuthParameter == nil || !tokenShowsUserPresence {
      // Whatever the user does: who asks without a touch shall not learn what there is at once.
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
    let (maker, namesDevice) = profile.attestation.maker(
      preferring: request.attestationFormats, isEnterprise: isEnterprise)
    let statement = try CTAPError.wrapping { () throws(CryptoError) in
      try maker.statement(
        for: AttestationSubject(
          authenticatorData: data, clientDataHash: request.clientDataHash, credentialKey: draft.key,
          signing: profile.signing))
    }
    return MakeCredentialReply(
      format: maker.format, authenticatorData: data, statement: statement,
      isEnterpriseAttestation: namesDevice ? true : nil,
      largeBlobKey: extensions.largeBlobKey.map { (key) in key.exposedBytes[...] })
  }

  /// The credential with this id for this relying party, in the vault or in the id itself.
  func passkey(_ id: CredentialID, of relyingPartyIDHash: [UInt8], _ state: DeviceState) -> StoredPasskey? {
    state.passkey(id, of: relyingPartyIDHash) ?? state.wrapping?.open(id, for: relyingPartyIDHash)
  }

  /// Writes a new credential into the vault, unless its id holds it.
  func keep(_ draft: CredentialDraft) throws(CTAPError) {
    if !draft.isInCredentialID {
      try vault.update { (state) throws(CTAPError) in
        try state.add(draft.passkey(sequence: state.nextSequence))
      }
      session.sequences.endEnumerations()
    }
    remember(draft.key, of: draft.id, draft.privateKey)
  }
}
