// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let registration = [
    Endpoint(
      name: .registerOptions, method: .post,
      summary: "Begin to create an account, or to add a passkey to the signed-in one, which requires a step-up",
      isCeremony: true,
      members: [
        .optional(addressPlaceholder, .text(.email)), .optional("code", .string),
      ],
      answers: [.ok(.reference(.creationOptions), reportsSession: .sometimes, setsCookie: .sometimes)],
      failures: [.unauthorized, .forbidden, .conflict, .unprocessableContent],
      access: .anonymous { try await $0.beginRegistration($1) }),
    Endpoint(
      name: .registerVerify, method: .post, summary: "Finish a registration", isCeremony: true,
      members: [.required("credential", .reference(.registrationResponse)), .optional("name", .string)],
      answers: [
        // Adding a passkey opens no session, because there already is one.
        .ok(
          .anyOf([.reference(.registrationWithSession), .reference(.registration)]), reportsSession: .sometimes,
          setsCookie: .sometimes),
        .init(.accepted, .json(.reference(.registration)), reportsSession: .sometimes),
      ],
      failures: [.unauthorized, .forbidden, .conflict, .gone, .unprocessableContent],
      access: .anonymous { try await $0.finishRegistration($1) }),
  ]

  /// The table's placeholder for the member with the email address, which the profile names.
  static let addressPlaceholder = "{address}"

  static let assertionMembers = [JSONSchema.Member.required("credential", .reference(.authenticationResponse))]

  private func beginRegistration(_ call: Call) async throws -> HTTPResponse {
    let body = try JSONBody(call.request)
    let session = try await sessionIfAny(of: call)
    let text = try body.stringIfPresent(profile.addressMember)
    let email = try text.map { try EmailAddress($0) }
    if let session, email == nil || email == session.account.email {
      return try await beginAddition(call, session)
    }
    guard let email else { throw HTTPError(.bodyMissingMember, member: profile.addressMember) }
    try limit(.email(email), call)
    var code: OneTimeCode?
    if let text = try body.stringIfPresent("code") {
      guard let read = OneTimeCode(text) else { throw body.invalid("code") }
      code = read
    }
    // The browser leaves its session when the user registers another account, so it needs a new binding.
    let (binding, cookie) = try binding(call, isNew: session != nil)
    let options = try await service.beginRegistration(email, code: code, binding: binding, in: call.context)
    var response = HTTPResponse(.ok, contentType: "application/json", body: options.json)
    if let cookie { response.set(cookie) }
    return response
  }

  private func beginAddition(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    try limit(session, call)
    return try await withConfirmation(of: call) { (confirmation) in
      let options = try await service.beginRegistration(for: session, confirmation: confirmation, in: call.context)
      var response = HTTPResponse(.ok, contentType: "application/json", body: options.json)
      addSessionExpiry(session.expiry, call, in: &response)
      return response
    }
  }

  private func finishRegistration(_ call: Call) async throws -> HTTPResponse {
    let body = try JSONBody(call.request)
    let response = try RegistrationResponse(json: credential(body))
    let name = try body.stringIfPresent("name").map { try CredentialName($0) }
    let session = try await sessionIfAny(of: call)
    let registered = try await service.finishRegistration(
      ReceivedRegistration(response), name: name ?? .unnamed, binding: binding(of: call), session: session,
      in: call.context)
    if let opened = registered.opened {
      return sessionResponse(opened, by: .registerVerify, call) { (object) in
        object.writeObject("credential") { (passkey: inout JSONObjectWriter) in
          write(registered.passkey, to: &passkey)
        }
      }
    }
    // No new session: either one exists already, or an administrator must approve the account first.
    let status: HTTPStatus = registered.account.state == .active ? .ok : .accepted
    var answer = HTTPResponse.json(status) { (object: inout JSONObjectWriter) in
      if profile.saysVerified { object.write("verified", true) }
      write(registered.account, to: &object)
      object.writeObject("credential") { (passkey: inout JSONObjectWriter) in write(registered.passkey, to: &passkey) }
    }
    if let session { addSessionExpiry(session.expiry, call, in: &answer) }
    return answer
  }

  /// Returns the credential: the member `credential`, or the whole body in the form of a browser's `toJSON()`.
  func credential(_ body: JSONBody) throws(HTTPError) -> JSONValue {
    try body.objectIfPresent("credential")?.value ?? body.value
  }
}
