// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let registration = [
    Endpoint(
      name: .registerOptions,
      summary: "Begin to create an account, or to add a passkey to the signed-in one, which requires a step-up",
      isCeremony: true, answers: [.init(reportsSession: .sometimes, setsCookie: .sometimes)],
      failures: [.unauthorized, .forbidden, .conflict, .unprocessableContent],
      access: .anonymous { try await $0.beginRegistration($1) }),
    Endpoint(
      name: .registerVerify, summary: "Finish a registration", isCeremony: true,
      answers: [
        // Adding a passkey opens no session, because there already is one.
        .init(reportsSession: .sometimes, setsCookie: .sometimes),
        .init(.accepted, reportsSession: .sometimes, setsCookie: .sometimes),
      ],
      failures: [.unauthorized, .forbidden, .conflict, .gone, .unprocessableContent],
      access: .anonymous { try await $0.finishRegistration($1) }),
    Endpoint(
      name: .addCredentialOptions, summary: "Begin to add a passkey to the signed-in account", isCeremony: true,
      answers: [.init(setsCookie: .never)], failures: [.conflict],
      access: .session { try await $0.beginAddition($1, $2) }),
    Endpoint(
      name: .addCredentialVerify, summary: "Finish adding a passkey to the signed-in account", isCeremony: true,
      answers: [.init()], failures: [.forbidden, .conflict, .gone, .unprocessableContent],
      access: .session { try await $0.finishRegistration($1, $2) }),
  ]

  private func beginRegistration(_ call: Call) async throws -> Reply {
    let inputs = try call.inputs()
    let session = try await sessionIfAny(of: call)
    let names = try names(in: inputs)
    if let session, !requiresNames(call), names?.belong(to: session.account) ?? true {
      var reply = try await beginAddition(call, session)
      addSessionExpiry(session.expiry, call, in: &reply.response)
      return reply
    }
    guard let names else { throw EndpointError(.bodyMissingMember, member: nameMember(of: call)) }
    try registrationLimiter?.require(.address(call.request.client), at: call.instant)
    for name in names.all { try limit(name, call) }
    var code: OneTimeCode?
    if let text = inputs.text(.code) {
      guard let read = OneTimeCode(text) else { throw EndpointError(.bodyInvalidMember, member: "code") }
      code = read
    }
    // Its end sends a mail, to free and taken addresses alike.
    if try await service.endsWithMail(signUpWith: code) { try limitMails(.signUp, to: names.email, call) }
    // The browser leaves its session when the user registers another account, so it needs a new binding.
    let (binding, cookie) = try binding(call, isNew: session != nil)
    let options = try await service.beginRegistration(names, code: code, binding: binding, in: call.context)
    var reply = self.reply(options, call)
    if let cookie { reply.response.set(cookie) }
    return reply
  }

  /// Whether the request always names an account. Then it creates one, and other endpoints add passkeys to an account.
  private func requiresNames(_ call: Call) -> Bool {
    guard let request = call.contract?.request else { return false }
    return request.requires(.accountUsername) || request.requires(.accountEmail)
  }

  private func beginAddition(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    try limit(session, call)
    if let text = try call.inputs().text(.sessionConditionalCreate) {
      guard let offer = CreationOffer(text) else {
        let member = call.contract?.request?.path(of: .sessionConditionalCreate)
        throw EndpointError(.bodyInvalidMember, member: member)
      }
      return reply(try await service.beginConditionalRegistration(for: session, offer: offer, in: call.context), call)
    }
    return try await withConfirmation(of: call, by: session) { (confirmation) in
      reply(try await service.beginRegistration(for: session, confirmation: confirmation, in: call.context), call)
    }
  }

  private func reply(_ options: CreationOptions, _ call: Call) -> Reply {
    reply(options.json, timeout: options.timeout, call)
  }

  private func finishRegistration(_ call: Call) async throws -> Reply {
    let session = try await sessionIfAny(of: call)
    var reply = try await finishRegistration(call, session)
    if let session, reply.values[.sessionExpiry] == nil { addSessionExpiry(session.expiry, call, in: &reply.response) }
    return reply
  }

  private func finishRegistration(_ call: Call, _ session: AuthenticatedSession?) async throws -> Reply {
    let inputs = try call.inputs()
    let response = try RegistrationResponse(json: inputs.requiredObject(.credential), encoding: profile.encoding)
    let name = try inputs.text(.credentialName).map { try Passkey.Name($0) }
    let registered = try await service.finishRegistration(
      ReceivedRegistration(response), name: name, binding: binding(of: call), session: session,
      in: call.context)
    return try await reply(to: registered, by: .registerVerify, call)
  }

  /// Returns the reply to a registration: with a verification that has begun, alike for free and taken addresses; with a new
  /// session; or with neither.
  func reply(
    to registered: RegisteredPasskey, by endpoint: EndpointName, _ call: Call
  ) async throws -> Reply {
    if let verification = registered.verification {
      var reply = Reply.values { Self.add(verification, to: &$0) }
      reply.response.status = .accepted
      return reply
    }
    guard let opened = registered.opened else {
      // No new session: either one exists already, or an administrator must approve the account first.
      var reply = Reply.values { (values) in
        add(registered.account, to: &values)
        add(registered.passkey, to: &values)
        values[.accountSignal] = .encoded(userDetailsSignal(of: registered.account).json)
      }
      if registered.account.state != .active { reply.response.status = .accepted }
      return reply
    }
    var reply = try await sessionReply(opened, by: endpoint, call)
    add(registered.passkey, to: &reply.values)
    reply.values[.accountSignal] = .encoded(userDetailsSignal(of: registered.account).json)
    // A profile can let an account hold a session before its approval.
    if registered.account.state == .pending { reply.response.status = .accepted }
    return reply
  }
}

extension ShapeValues {
  /// The object of a variable that the shape requires.
  func requiredObject(_ variable: ShapeVariable) throws(EndpointError) -> JSONValue {
    guard let object = object(variable) else { throw EndpointError(.bodyMissingMember, member: variable.rawValue) }
    return object
  }
}
