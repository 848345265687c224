// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let stepUp = [
    Endpoint(
      name: .stepUpOptions, method: .post, summary: "Begin to confirm an action", isCeremony: true,
      members: [
        .required("method", .string), .required("path", .string), .optional("bodySha256", .base64URL),
      ],
      answers: [.ok(.reference(.requestOptions))],
      failures: [.forbidden, .unprocessableContent], access: .session { try await $0.beginStepUp($1, $2) }),
    Endpoint(
      name: .stepUpVerify, method: .post, summary: "Finish a confirmation and get the grant to present with the action",
      isCeremony: true, members: assertionMembers, answers: [.ok(.reference(.stepUpGrant))],
      failures: [.forbidden, .gone],
      access: .session { try await $0.finishStepUp($1, $2) }),
  ]

  private func beginStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let body = try JSONBody(call.request)
    let (method, path) = (try body.string("method", atMost: 32), try body.string("path", atMost: 4_096))
    let digest = try body.base64URLIfPresent("bodySha256") ?? Digest.sha256([])
    let action = try ProtectedAction(method: method, path: path, bodyDigest: digest)
    try limit(session, call)
    let options = try await service.beginStepUp(for: action, by: session, in: call.context)
    return HTTPResponse(.ok, contentType: "application/json", body: options.json)
  }

  private func finishStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let response = try AuthenticationResponse(json: credential(JSONBody(call.request)))
    let granted = try await service.finishStepUp(
      ReceivedAuthentication(response), by: session, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      if profile.saysVerified { object.write("verified", true) }
      object.write("header", StepUpDemand.header)
      object.write("grant", granted.token.exposedText)
      object.write("expiresAt", granted.expiry)
    }
  }
}

/// A demand for a step-up, because the request has no grant or a rejected one (RFC 9470).
struct StepUpDemand: Error {
  /// Whether the grant is missing or was rejected.
  let code: ServiceError.Code

  /// The requested action.
  let action: ProtectedAction

  /// The path that begins a step-up; nil if the profile has none.
  let optionsPath: String?

  /// The request header with the step-up grant.
  static let header = "passkey-step-up"

  /// The challenge of the 401 response.
  static let challenge = #"Bearer error="insufficient_user_authentication""#

  /// Writes the member `stepUp` of a problem: the action to confirm, in the form in which the client sends it back.
  func write(to object: inout JSONObjectWriter) {
    object.writeObject("stepUp") { (demand: inout JSONObjectWriter) in
      demand.write("method", action.method)
      demand.write("path", action.path)
      demand.write("bodySha256", .base64URL(action.bodyDigest))
      demand.write("header", Self.header)
      if let optionsPath { demand.write("options", optionsPath) }
    }
  }
}
