// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// CTAP 2.3, §6.2.2, authenticatorGetAssertion.

extension SoftwareAuthenticator {
  func getAssertion(_ parameters: Bytes) async throws(CTAPError) -> [UInt8] {
    let request = try GetAssertionRequest(parsing: parameters)
    session.sequences.assertions = nil
    try requireAllowedCount(request.allowList ?? [])
    let state = try vault.read()
    let purpose = InteractionPurpose(.signIn, relyingPartyID: request.relyingPartyID)

    // 1. An empty pinUVAuthParameter only asks for a touch.
    if request.pinUVAuthParameter?.isEmpty == true { try await answerSelection(state) }
    // 2. The pinUVAuthParameter uses a supported protocol.
    try requireProtocol(of: request.pinUVAuthParameter, request.pinUVAuthProtocol)
    // 3. Initialize "up" and "uv" to false.
    var consent = UserConsent()
    var authorization = SequenceAuthorization.lasting
    // 4. Validate the options.
    let (wantsPresence, wantsOwnVerification) = try assertionOptions(request, state)
    // 5. If alwaysUv is set, require user verification, with a token or by the device itself.
    let verifiesItself = try assertionVerification(wantsOwnVerification, wantsPresence, request, state)
    // 6. Verify the token, or verify the user with the device's own sensor.
    if let parameter = request.pinUVAuthParameter, isProtected(state) {
      try authorize(
        parameter, protocol: request.pinUVAuthProtocol, over: request.clientDataHash, permission: .getAssertion,
        relyingPartyID: request.relyingPartyID)
      consent.isUserVerified = true
      if let token = currentToken { authorization = .token(token.bytes) }
    } else if verifiesItself {
      consent = try await verifyConsent(for: purpose, state)
    }
    // 7. Locate the applicable credentials.
    let applicable = try applicablePasskeys(request, isUserVerified: consent.isUserVerified, state)
    guard let first = applicable.first else { throw CTAPError(.noCredentials) }
    // 8. Built-in user verification already counts as user presence.
    // 9. Require user presence unless the "up" option is false. That spends the token.
    if wantsPresence {
      try await requireConsent(
        &consent, parameter: request.pinUVAuthParameter,
        for: purpose.forUser(applicable.count == 1 ? first.user?.name : nil))
    }
    // 10. Process the extensions.
    let extensions = try AssertionExtensions(
      request.extensions, openSalts: openSalts, isUserPresent: wantsPresence)
    // 11. With an allow list, only the first applicable credential signs.
    // 12. Without one, the newest credential signs, and getNextAssertion returns the others: there is no display.
    let terms = AssertionTerms(
      clientDataHash: request.clientDataHash, consent: consent, extensions: extensions,
      isFromList: request.allowList != nil, count: request.allowList == nil ? applicable.count : 1)
    // 13. Sign the assertion.
    let reply = try assert(with: first, terms, isFirst: true)
    if terms.count > 1 {
      session.sequences.assertions = RemainingAssertions(
        credentials: applicable.dropFirst(), terms: terms, authorization: authorization, since: clock.uptime)
    }
    return reply.encoded
  }
}

// MARK: The other credentials

extension SoftwareAuthenticator {
  /// Executes authenticatorGetNextAssertion (§6.3).
  func getNextAssertion() throws(CTAPError) -> [UInt8] {
    // 1. A getAssertion sequence is open, and the token that authorized it is still in use (§6).
    // 2. Credentials remain.
    guard var remaining = session.sequences.assertions, let passkey = remaining.credentials.popFirst() else {
      throw CTAPError(.notAllowed, "no assertion is left")
    }
    // A failure ends the sequence.
    session.sequences.assertions = nil
    guard isInForce(remaining.authorization) else { throw CTAPError(.notAllowed, "the token has expired") }
    // 3. The previous assertion is at most 30 s old.
    guard clock.uptime - remaining.since <= DeviceLimits.nextAssertionTimeLimit else {
      throw CTAPError(.notAllowed, "the last assertion was too long ago")
    }
    // 4. Select the next credential.
    // 5. Include its user.
    // 6. Sign the assertion.
    let reply = try assert(with: passkey, remaining.terms, isFirst: false)
    // 7. Restart the timer.
    remaining.since = clock.uptime
    // 8. Advance the credential counter.
    session.sequences.assertions = remaining
    return reply.encoded
  }
}

// MARK: Steps

extension SoftwareAuthenticator {
  private func assertionOptions(
    _ request: GetAssertionRequest, _ state: DeviceState
  ) throws(CTAPError) -> (wantsPresence: Bool, wantsOwnVerification: Bool) {
    let wantsOwnVerification = try wantsBuiltInVerification(request.options, request.pinUVAuthParameter, state)
    guard request.options.residentKey == nil else { throw CTAPError(.unsupportedOption, "rk in getAssertion") }
    return (request.options.userPresence ?? true, wantsOwnVerification)
  }

  /// Returns whether the device must verify the user itself. A request with "up" false never prompts the user (§7.2),
  /// so alwaysUv does not apply to it.
  private func assertionVerification(
    _ wantsOwnVerification: Bool, _ wantsPresence: Bool, _ request: GetAssertionRequest, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard state.settings.alwaysRequiresUserVerification, wantsPresence else { return wantsOwnVerification }
    guard isProtected(state) else { throw CTAPError(.pinUVAuthTokenRequired, "the device has no PIN") }
    if request.pinUVAuthParameter != nil { return false }
    guard verifiesUsers(state) else { throw verificationMissing(state) }
    return true
  }

  /// Returns the applicable credentials: in the order of the allow list, or else the newest first.
  private func applicablePasskeys(
    _ request: GetAssertionRequest, isUserVerified: Bool, _ state: DeviceState
  ) throws(CTAPError) -> [StoredPasskey] {
    let scope = Digest.sha256([UInt8](request.relyingPartyID.utf8))
    let located: [StoredPasskey]
    if let list = request.allowList {
      located = list.compactMap { (descriptor) in
        descriptor.type == .publicKey ? passkey(descriptor.id, of: scope, state) : nil
      }
    } else {
      located = state.passkeys.filter { (passkey) in
        passkey.isDiscoverable && passkey.relyingPartyIDHash == scope
      }.sorted { (left, right) in left.sequence > right.sequence }
    }
    return located.filter { (passkey) in
      switch passkey.protection {
      case .userVerificationOptional: true
      case .userVerificationOptionalWithCredentialIDList: request.allowList != nil || isUserVerified
      case .userVerificationRequired: isUserVerified
      }
    }
  }
}

extension InteractionPurpose {
  /// Returns the same purpose with the user's name added.
  fileprivate func forUser(_ name: String?) -> Self {
    InteractionPurpose(act, relyingPartyID: relyingPartyID, userName: name, needsLongTouch: needsLongTouch)
  }
}
