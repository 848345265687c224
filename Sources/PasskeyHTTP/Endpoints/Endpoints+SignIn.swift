// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let signIn = [
    Endpoint(
      name: .signInOptions, method: .post, summary: "Begin a sign-in, with an address or with any passkey",
      isCeremony: true, members: [.optional(addressPlaceholder, .text(.email))],
      answers: [.ok(.reference(.requestOptions), setsCookie: .sometimes)],
      failures: [.unprocessableContent], access: .anonymous { try await $0.beginSignIn($1) }),
    Endpoint(
      name: .signInVerify, method: .post, summary: "Finish a sign-in", isCeremony: true, members: assertionMembers,
      answers: openedSession,
      failures: [.unauthorized, .forbidden, .gone], access: .anonymous { try await $0.finishSignIn($1) }),
    Endpoint(
      name: .refresh, method: .post, summary: "Renew a session, if the policy allows renewal", isCeremony: true,
      members: [.required("refreshToken", .base64URL)], answers: openedSession, failures: [.unauthorized],
      access: .anonymous { try await $0.refresh($1) }),
  ]

  private static let openedSession: [Endpoint.Answer] = [
    .ok(.reference(.openedSession), reportsSession: .always, setsCookie: .always)
  ]

  private func beginSignIn(_ call: Call) async throws -> HTTPResponse {
    let body = try JSONBody(call.request)
    let name = try body.stringIfPresent(profile.addressMember)
      .map { AccountName.email(try EmailAddress($0)) }
    if let name { try limit(name, call) }
    let (binding, cookie) = try binding(call, isNew: false)
    let options = try await service.beginSignIn(name, binding: binding, in: call.context)
    var response = HTTPResponse(.ok, contentType: "application/json", body: options.json)
    if let cookie { response.set(cookie) }
    return response
  }

  private func finishSignIn(_ call: Call) async throws -> HTTPResponse {
    let response = try AuthenticationResponse(json: credential(JSONBody(call.request)))
    let opened = try await service.finishSignIn(
      ReceivedAuthentication(response), binding: binding(of: call), in: call.context)
    return sessionResponse(opened, by: .signInVerify, call)
  }

  private func refresh(_ call: Call) async throws -> HTTPResponse {
    // A malformed token is replaced by an unknown one, so that the service rejects both in the same way.
    guard let token = try refreshToken(of: call) ?? Token(Self.unknownToken) else { throw HTTPError(.internalError) }
    let opened = try await service.renew(token, in: call.context)
    return sessionResponse(opened, by: .refresh, call)
  }

  /// 32 zero bytes in base64url, which match no session.
  private static let unknownToken = String(repeating: "A", count: 43)
}
