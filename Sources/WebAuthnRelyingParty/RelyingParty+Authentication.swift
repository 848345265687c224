// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

extension RelyingParty {
  /// Begins to sign a user in, or to have one act confirmed.
  ///
  /// The options go to the browser, the pending ceremony into a store from which it is *taken* when the response comes:
  /// deleted, whatever comes next. A step-up always demands user verification, and a user who is known; so does a payment, for
  /// which the page makes a `PaymentRequest` with a
  /// ``/WebAuthnTypes/SecurePaymentConfirmationRequest`` of the options.
  ///
  /// `userVerification` is the requirement of this sign-in, and the policy's where it is nil. The pending ceremony keeps it.
  /// For a step-up or a payment only *required* is accepted. The browser that finishes the ceremony must present the same
  /// `binding`.
  ///
  /// - Throws: `ceremony.configuration-invalid` for a purpose, a requirement or extensions with which no client could succeed,
  ///   `ceremony.randomness-unavailable`.
  public func beginAuthentication(
    of user: UserIdentification, purpose: AuthenticationPurpose = .signIn,
    userVerification: UserVerificationRequirement? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: [AuthenticationExtension] = [], binding: CeremonyBinding? = nil, at now: Timestamp,
    random: RandomSource = .system
  ) throws(CeremonyError) -> BegunAuthentication {
    if let userVerification, userVerification != .required, purpose != .signIn {
      throw CeremonyError(
        .configurationInvalid, .init("user verification required, for a confirmation", userVerification.rawValue))
    }
    switch (purpose, user) {
    case (.signIn, _), (.stepUp, .knownBefore): break
    case (.stepUp, .fromResponse):
      throw CeremonyError(.configurationInvalid, .init("a user who is known, for a step-up", "none"))
    case (.payment(let transaction), _): try check(transaction, of: user, extensions)
    }
    return beginAuthentication(
      of: user, purpose: purpose, userVerification: userVerification, hints: hints,
      extensions: try self.extensions(extensions, of: user), binding: binding, at: now,
      challenge: try newChallenge(random))
  }

  /// Begins with a challenge that is given: to judge ceremonies that were recorded.
  package func beginAuthentication(
    of user: UserIdentification, purpose: AuthenticationPurpose = .signIn,
    userVerification: UserVerificationRequirement? = nil, hints: [PublicKeyCredentialHint] = [],
    extensions: ClientExtensions = [:], binding: CeremonyBinding? = nil, at now: Timestamp, challenge: Challenge
  ) -> BegunAuthentication {
    let userVerification = purpose == .signIn ? userVerification ?? policy.userVerification : .required
    let options = RequestOptions(
      challenge: challenge, timeout: policy.timeout, relyingPartyID: id, allowCredentials: user.descriptors,
      userVerification: userVerification, hints: hints, extensions: extensions)
    let terms = CeremonyTerms(
      self, challenge: challenge, requiresUserVerification: userVerification == .required, extensions: extensions,
      payment: purpose.payment, at: now)
    let pending = PendingAuthentication(
      terms: Shared(terms), identification: user.withoutTransports, purpose: purpose,
      appID: extensions["appid"]?.string, binding: binding)
    return BegunAuthentication(options: options, pending: pending)
  }

  /// Finishes an authentication: every step of WebAuthn §7.2, in its order.
  ///
  /// `pending` is consumed, so that no response is judged by it again. `binding` is the one with which the ceremony was
  /// begun. `credential` is what the store has under the response's credential id. `purpose` is what the assertion is about
  /// to be used for: another than the ceremony was begun with is refused, so that a sign-in confirms no act, and a
  /// confirmation no other act and no other session. The caller stores the result's credential by compare-and-set.
  public func finishAuthentication(
    _ response: consuming AuthenticationResponse, pending: consuming PendingAuthentication,
    binding: CeremonyBinding? = nil, credential: consuming StoredCredential,
    purpose: AuthenticationPurpose = .signIn, at now: Timestamp, trace: SpecTrace? = nil
  ) throws(CeremonyError) -> VerifiedAuthentication {
    try checkLifetime(of: pending.sharedTerms, at: now)
    try check(binding, for: pending.binding)
    guard pending.purpose == purpose else {
      throw CeremonyError(.purposeMismatch, .init("\(pending.purpose)", purpose.described(besides: pending.purpose)))
    }
    let ceremony = AuthenticationCeremony(
      relyingParty: self, pending: pending, response: response, time: now, steps: StepRecorder(trace))
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
