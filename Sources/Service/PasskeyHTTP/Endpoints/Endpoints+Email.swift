// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

// Email addresses: their verification and change, and recovery by mail.

extension ServiceProfile {
  /// Whether the verification of a new address can give a code, and a registration can begin with it.
  var admitsSignUps: Bool {
    (self[.verifyEmail]?.response?.variables.contains(.code) ?? false)
      && (self[.registerOptions]?.request?.variables.contains(.code) ?? false)
  }
}

extension Endpoints {
  static let email = [
    Endpoint(
      name: .beginSignUp,
      summary: "Begin to verify the address of a new account; the answer does not tell whether an account has it",
      isCeremony: true, answers: [.init()], failures: [.forbidden, .notFound, .unprocessableContent],
      access: .anonymous { try await $0.beginSignUp($1) }),
    Endpoint(
      name: .verifyEmail, summary: "Finish the verification of an email address with the code from the mail",
      isCeremony: true,
      answers: [
        .init(reportsSession: .sometimes, setsCookie: .sometimes),
        .init(.accepted, reportsSession: .sometimes, setsCookie: .sometimes),
      ],
      failures: [.forbidden, .conflict, .gone], access: .anonymous { try await $0.verifyEmail($1) }),
    Endpoint(
      name: .resendVerification, summary: "Send the code of a verification again", isCeremony: true,
      answers: [.init()], failures: [.gone], access: .anonymous { try await $0.resendVerification($1) }),
    Endpoint(
      name: .beginVerification, summary: "Begin to verify the address of the signed-in account", isCeremony: true,
      answers: [.init()], failures: [.notFound, .conflict],
      access: .session { try await $0.beginVerification($1, $2) }),
    Endpoint(
      name: .changeEmail, summary: "Begin to change the address of the signed-in account, with a code to the new one",
      isCeremony: true, answers: [.init()], failures: [.notFound, .conflict, .unprocessableContent],
      access: .confirmed { try await $0.changeEmail($1, $2, $3) }),
    Endpoint(
      name: .requestRecovery,
      summary: "Send a recovery code to an address; the answer does not tell whether an account has it",
      isCeremony: true, answers: [.init()], failures: [.notFound, .unprocessableContent],
      access: .anonymous { try await $0.requestRecovery($1) }),
    Endpoint(
      name: .cancelRecovery,
      summary: "Cancel a recovery that waits: that of the signed-in account, or with the code from its mail",
      isCeremony: true, answers: [.init(reportsSession: .sometimes)], failures: [.unauthorized, .forbidden, .notFound],
      access: .anonymous { try await $0.cancelRecovery($1) }),
  ]

  private func beginSignUp(_ call: Call) async throws -> Reply {
    guard profile.admitsSignUps else { throw EndpointError(.notFound) }
    let address = try requiredEmail(of: call)
    try limitMails(.signUp, to: address, call)
    try limit(.email(address), call)
    return Self.reply(to: try await service.beginSignUp(at: address, in: call.context))
  }

  private func verifyEmail(_ call: Call) async throws -> Reply {
    let inputs = try call.inputs()
    guard let code = EmailCode(inputs.text(.code) ?? "") else {
      throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .code))
    }
    switch try await service.verifyEmail(code, token: verificationToken(inputs), in: call.context) {
    case .registered(let registered): return try await reply(to: registered, by: .verifyEmail, call)
    case .admitted(let code, let expiry):
      return Reply.values { (values) in
        values.set(.code, code.exposedText)
        values.set(.codeExpiry, expiry)
      }
    case .verified(let account), .changed(let account):
      return Reply.values { (values) in
        add(account, to: &values)
        values[.accountSignal] = .encoded(userDetailsSignal(of: account).json)
      }
    }
  }

  private func resendVerification(_ call: Call) async throws -> Reply {
    let token = try verificationToken(call.inputs())
    // The address is that of a verification that has begun.
    try limitMails(.signUp, to: nil, call)
    try accountLimiter.require(.account("verification \(token.digest)", from: call.request.client), at: call.instant)
    return Self.reply(to: try await service.resendVerification(token, in: call.context))
  }

  private func beginVerification(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    try limitMails(.account, to: session.account.email, call)
    try limit(session, call)
    return Self.reply(to: try await service.beginVerification(by: session, in: call.context))
  }

  private func changeEmail(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let address = try requiredEmail(of: call)
    try limitMails(.account, to: address, call)
    try limit(session, call)
    return Self.reply(
      to: try await service.changeEmail(to: address, by: session, confirmation: confirmation, in: call.context))
  }

  /// Answers alike for all addresses.
  private func requestRecovery(_ call: Call) async throws -> Reply {
    let address = try requiredEmail(of: call)
    try limitMails(.recovery, to: address, call)
    try limit(.email(address), call)
    if case .administrator = service.policy.contact.recovery, profile.recovery.repliesWithoutMail {
      // Nothing is sent, and no address is looked up.
      return Reply()
    }
    try await service.requestRecovery(of: address, in: call.context)
    return Reply()
  }

  private func cancelRecovery(_ call: Call) async throws -> Reply {
    guard let text = try call.inputs().text(.code) else {
      let session = try await session(of: call)
      try await service.cancelRecovery(by: session, in: call.context)
      var reply = Reply()
      addSessionExpiry(session.expiry, call, in: &reply.response)
      return reply
    }
    guard let code = OneTimeCode(text) else {
      throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .code))
    }
    try await service.cancelRecovery(code, in: call.context)
    return Reply()
  }

  private func requiredEmail(of call: Call) throws -> EmailAddress {
    guard let address = try email(in: call.inputs()) else {
      throw EndpointError(.bodyMissingMember, member: call.contract?.request?.path(of: .accountEmail))
    }
    return address
  }

  /// Returns the token of a verification. A malformed one is replaced by an unknown one, so that the service refuses both in
  /// the same way.
  private func verificationToken(_ inputs: ShapeValues) throws(EndpointError) -> Token {
    guard let token = Token(inputs.text(.verificationToken) ?? "") ?? Token(Self.unknownToken) else {
      throw EndpointError(.internalError)
    }
    return token
  }

  private static func reply(to verification: StartedVerification) -> Reply {
    Reply.values { add(verification, to: &$0) }
  }

  /// Adds a verification that has begun.
  static func add(_ verification: StartedVerification, to values: inout ShapeValues) {
    values.set(.verificationToken, verification.token.exposedText)
    values.set(.verificationExpiry, verification.expiry)
  }
}
