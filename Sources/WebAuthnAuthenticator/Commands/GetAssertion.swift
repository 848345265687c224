// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// CTAP 2.3, §6.2.2, authenticatorGetAssertion.

extension SoftwareAuthenticator {
  func getAssertion(_ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let request = try GetAssertionRequest(parsing: parameters)
    session.sequences.assertions = nil
    try requireAllowedCount(request.allowList ?? [])
    let state = try vault.read()
    let purpose = InteractionPurpose(.signIn, relyingPartyID: request.relyingPartyID)

    // 1. An empty parameter asks for a touch, and for nothing else.
    if request.pinUVAuthParameter?.isEmpty == true { try await answerSelection(state) }
    // 2. The parameter is of a protocol that the device has.
    try requireProtocol(of: request.pinUVAuthParameter, request.pinUVAuthProtocol)
    // 3. So far nobody was there.
    var consent = UserConsent()
    var authorization = SequenceAuthorization.lasting
    // 4. The options are looked at.
    let (wantsPresence, wantsOwnVerification) = try assertionOptions(request, state)
    // 5. Where every command takes user verification, there is a way to it, and it is taken.
    let verifiesItself = try assertionVerification(wantsOwnVerification, wantsPresence, request, state)
    // 6. The token is one for this, or the device verifies the user itself.
    if let parameter = request.pinUVAuthParameter, isProtected(state) {
      try authorize(
        parameter, protocol: request.pinUVAuthProtocol, over: request.clientDataHash, permission: .getAssertion,
        relyingPartyID: request.relyingPartyID)
      consent.isUserVerified = true
      if let token = currentToken { authorization = .token(token.bytes) }
    } else if verifiesItself {
      consent = try await verifyConsent(for: purpose, state)
    }
    // 7. There are credentials that may be found so.
    let applicable = try applicablePasskeys(request, isUserVerified: consent.isUserVerified, state)
    guard let first = applicable.first else { throw CTAPError(.noCredentials) }
    // 8. A touch for user verification is a touch: it was noted with it.
    // 9. Somebody is there, unless that is not wanted. That spends the token.
    if wantsPresence {
      try await requireConsent(
        &consent, parameter: request.pinUVAuthParameter,
        for: purpose.forUser(applicable.count == 1 ? first.user?.name : nil))
    }
    // 10. The extensions are processed.
    let extensions = try AssertionExtensions(
      request.extensions, openSalts: openSalts, isUserPresent: wantsPresence)
    // 11. Of a list, one credential signs.
    // 12. Else the newest does, and the others wait for getNextAssertion: there is no display to choose on.
    let terms = AssertionTerms(
      clientDataHash: request.clientDataHash, consent: consent, extensions: extensions,
      isFromList: request.allowList != nil, count: request.allowList == nil ? applicable.count : 1)
    // 13. The credential signs.
    let reply = try assert(with: first, terms, isFirst: true)
    if terms.count > 1 {
      session.sequences.assertions = RemainingAssertions(
        credentials: applicable.dropFirst(), terms: terms, authorization: authorization, since: clock.uptime)
    }
    return reply.encoded[...]
  }
}

// MARK: The steps that take more than a line

extension SoftwareAuthenticator {
  private func assertionOptions(
    _ request: GetAssertionRequest, _ state: DeviceState
  ) throws(CTAPError) -> (wantsPresence: Bool, wantsOwnVerification: Bool) {
    let wantsOwnVerification = try wantsBuiltInVerification(request.options, request.pinUVAuthParameter, state)
    guard request.options.residentKey == nil else { throw CTAPError(.unsupportedOption, "rk in getAssertion") }
    return (request.options.userPresence ?? true, wantsOwnVerification)
  }

  /// Whether the device has to verify the user itself. Without presence nothing is asked of the user, ever (§7.2).
  private func assertionVerification(
    _ wantsOwnVerification: Bool, _ wantsPresence: Bool, _ request: GetAssertionRequest, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard state.settings.alwaysRequiresUserVerification, wantsPresence else { return wantsOwnVerification }
    guard isProtected(state) else { throw CTAPError(.pinUVAuthTokenRequired, "there is no PIN yet") }
    if request.pinUVAuthParameter != nil { return false }
    guard verifiesUsers(state) else { throw verificationMissing(state) }
    return true
  }

  /// The credentials that may be found, those of a list in its order, others the newest first.
  private func applicablePasskeys(
    _ request: GetAssertionRequest, isUserVerified: Bool, _ state: DeviceState
  ) throws(CTAPError) -> [StoredPasskey] {
    let scope = Digest.sha256([UInt8](request.relyingPartyID.utf8)[...])
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
  /// The same act, for a user whose name is known by now.
  fileprivate func forUser(_ name: String?) -> Self {
    InteractionPurpose(act, relyingPartyID: relyingPartyID, userName: name, needsLongTouch: needsLongTouch)
  }
}
