// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let signIn = [
    Endpoint(
      name: .signInOptions, summary: "Begin a sign-in, with a name or with any passkey", isCeremony: true,
      answers: [.init(setsCookie: .sometimes)], failures: [.unprocessableContent],
      access: .anonymous { try await $0.beginSignIn($1) }),
    Endpoint(
      name: .signInVerify, summary: "Finish a sign-in", isCeremony: true, answers: openedSession,
      failures: [.unauthorized, .forbidden, .gone], access: .anonymous { try await $0.finishSignIn($1) }),
    Endpoint(
      name: .refresh, summary: "Renew a session, if the policy allows renewal", isCeremony: true,
      answers: openedSession, failures: [.unauthorized], access: .anonymous { try await $0.refresh($1) }),
  ]

  private static let openedSession: [Endpoint.Answer] = [.init(reportsSession: .always, setsCookie: .always)]

  private func beginSignIn(_ call: Call) async throws -> Reply {
    let inputs = try call.inputs()
    let name = try name(in: inputs)
    let mediation = try mediation(in: inputs, call)
    if name != nil || mediation == .modal { try limitSignIn(name, call) }
    if let name { try limit(name, call) }
    let (binding, cookie) = try binding(call, isNew: false)
    let options = try await service.beginSignIn(name, mediation: mediation, binding: binding, in: call.context)
    var reply = Reply.values { (values) in
      values[.options] = .encoded(options.json)
      values.set(.optionsExpiry, call.expiry(after: options.timeout))
      if name == nil, mediation == .modal { values.set(.optionsUIMode, service.policy.uiMode?.rawValue) }
    }
    if let cookie { reply.response.set(cookie) }
    return reply
  }

  private func mediation(in inputs: ShapeValues, _ call: Call) throws(EndpointError) -> SignInMediation {
    guard let text = inputs.text(.mediation) else { return .modal }
    guard let mediation = SignInMediation(rawValue: text) else {
      throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .mediation))
    }
    return mediation
  }

  private func finishSignIn(_ call: Call) async throws -> Reply {
    let response = try AuthenticationResponse(
      json: call.inputs().requiredObject(.credential), encoding: profile.encoding)
    let opened = try await service.finishSignIn(
      ReceivedAuthentication(response), binding: binding(of: call), in: call.context)
    return try await sessionReply(opened, by: .signInVerify, call)
  }

  private func refresh(_ call: Call) async throws -> Reply {
    // A malformed token is replaced by an unknown one, so that the service rejects both in the same way.
    guard let token = try refreshToken(of: call) ?? Token(Self.unknownToken) else {
      throw EndpointError(.internalError)
    }
    let opened = try await service.renew(token, in: call.context)
    return try await sessionReply(opened, by: .refresh, call)
  }

  /// 32 zero bytes in base64url, which match no session.
  static let unknownToken = String(repeating: "A", count: 43)
}
