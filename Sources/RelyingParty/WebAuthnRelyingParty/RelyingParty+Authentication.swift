// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

extension RelyingParty {
  /// Begins an authentication: a sign-in, or the confirmation of one action.
  ///
  /// Send the options to the browser. Store the pending ceremony, and read and delete it in one operation when the
  /// response arrives, even if verification fails. A step-up always requires user verification and a known user. So
  /// does a payment, for which the page creates a `PaymentRequest` with a
  /// `requestJSON(for:)` of its transaction.
  ///
  /// `userVerification` overrides the policy's requirement for this sign-in; nil applies the policy. The pending
  /// ceremony stores it. For a step-up or a payment only *required* is accepted. The browser that finishes the ceremony
  /// must present the same `binding`. `lifetime` overrides the policy's for this ceremony, such as one of a page that
  /// waits for its user to choose a passkey in a form (conditional mediation).
  ///
  /// - Throws: `ceremony.configuration-invalid` for a purpose, a requirement or extensions that no client can satisfy,
  ///   and `ceremony.randomness-unavailable`.
  public func beginAuthentication(
    of user: UserIdentification, purpose: AuthenticationPurpose = .signIn,
    userVerification: UserVerificationRequirement? = nil, lifetime: Duration? = nil,
    hints: [PublicKeyCredentialHint] = [],
    extensions: [AuthenticationExtension] = [], binding: CeremonyBinding? = nil, at now: UnixTime,
    random: RandomSource = .system
  ) throws(CeremonyError) -> BegunAuthentication {
    if let userVerification, userVerification != .required, purpose != .signIn {
      throw CeremonyError(
        .configurationInvalid, .init("user verification required, for a confirmation", userVerification.rawValue))
    }
    switch (purpose, user) {
    case (.signIn, _), (.stepUp, .knownBefore): break
    case (.stepUp, .fromResponse):
      throw CeremonyError(.configurationInvalid, .init("a known user, for a step-up", "none"))
    case (.payment(let transaction), _): try check(transaction, of: user, extensions)
    }
    return beginAuthentication(
      of: user, purpose: purpose, userVerification: userVerification, lifetime: lifetime, hints: hints,
      extensions: try self.extensions(extensions, of: user), binding: binding, at: now,
      challenge: try newChallenge(random))
  }

  /// Begins an authentication with the given challenge, to replay recorded ceremonies.
  package func beginAuthentication(
    of user: UserIdentification, purpose: AuthenticationPurpose = .signIn,
    userVerification: UserVerificationRequirement? = nil, lifetime: Duration? = nil,
    hints: [PublicKeyCredentialHint] = [],
    extensions: ClientExtensions = [:], binding: CeremonyBinding? = nil, at now: UnixTime, challenge: Challenge
  ) -> BegunAuthentication {
    let userVerification = purpose == .signIn ? userVerification ?? policy.userVerification : .required
    let options = RequestOptions(
      challenge: challenge, timeout: CeremonyPolicy.timeout(of: lifetime ?? policy.lifetime), relyingPartyID: id,
      allowCredentials: user.descriptors,
      userVerification: userVerification, hints: hints, extensions: extensions)
    let terms = CeremonyTerms(
      self, challenge: challenge, requiresUserVerification: userVerification == .required, extensions: extensions,
      payment: purpose.payment, lifetime: lifetime ?? policy.lifetime, at: now)
    let pending = PendingAuthentication(
      terms: terms, identification: user.withoutTransports, purpose: purpose,
      appID: extensions["appid"]?.string, binding: binding)
    return BegunAuthentication(options: options, pending: pending)
  }

  /// Finishes an authentication: runs every step of WebAuthn §7.2 in the standard's order.
  ///
  /// `pending` is consumed, so that it cannot verify a second response. `binding` must equal the one with which the
  /// ceremony was begun. `credential` is the stored credential with the response's credential ID. `purpose` is the
  /// intended use of the assertion. It must equal the purpose with which the ceremony was begun: a sign-in cannot
  /// confirm an action, and a confirmation is valid only for its own action and session. Store the result's credential
  /// by compare-and-set.
  ///
  /// - Returns: The credential with its new state, to store by compare-and-set.
  /// - Throws: `ceremony.expired`, `ceremony.pending-of-another-relying-party`, `ceremony.binding-mismatch` or
  ///   `ceremony.purpose-mismatch` before the first step; then the `authentication.…` code of the first step that
  ///   fails, whose number is in ``CeremonyError/step``.
  public func finishAuthentication(
    _ response: consuming AuthenticationResponse, pending: consuming PendingAuthentication,
    binding: CeremonyBinding? = nil, credential: consuming StoredCredential,
    purpose: AuthenticationPurpose = .signIn, at now: UnixTime, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedAuthentication {
    try finishAuthentication(
      ReceivedAuthentication(response), pending: pending, binding: binding, credential: credential, purpose: purpose,
      at: now, trace: trace)
  }

  /// Finishes an authentication whose client data the server has parsed, for example to find the pending ceremony by its
  /// challenge. Otherwise equal to the function that takes an `AuthenticationResponse`, with the same codes.
  ///
  /// - Returns: The credential with its new state, to store by compare-and-set.
  /// - Throws: A `ceremony.…` code before the first step, then the `authentication.…` code of the first step that
  ///   fails.
  package func finishAuthentication(
    _ received: consuming ReceivedAuthentication, pending: consuming PendingAuthentication,
    binding: CeremonyBinding? = nil, credential: consuming StoredCredential,
    purpose: AuthenticationPurpose = .signIn, at now: UnixTime, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedAuthentication {
    try checkLifetime(of: pending.terms, at: now)
    try check(binding, for: pending.binding)
    guard pending.purpose == purpose else {
      throw CeremonyError(.purposeMismatch, .init("\(pending.purpose)", purpose.described(besides: pending.purpose)))
    }
    let ceremony = AuthenticationCeremony(
      relyingParty: self, pending: pending, received: received, time: now, steps: StepRecorder(trace))
    return try ceremony.run(for: credential)
  }
}

extension UserIdentification {
  var descriptors: [CredentialDescriptor] {
    switch self {
    case .knownBefore(_, let credentials): credentials
    case .fromResponse: []
    }
  }
}
