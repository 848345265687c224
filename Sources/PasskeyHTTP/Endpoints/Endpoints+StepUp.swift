// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let stepUp = [
    Endpoint(
      name: .stepUpOptions, method: .post, summary: "Begin to confirm an act", isCeremony: true,
      members: [
        .always("method", .string), .always("path", .string), .sometimes("bodySha256", .base64URL),
      ],
      answers: [.ok(.shared(.requestOptions))],
      failures: [.forbidden, .unprocessableContent], access: .session { try await $0.beginStepUp($1, $2) }),
    Endpoint(
      name: .stepUpVerify, method: .post, summary: "Finish a confirmation, which is then shown with the act",
      isCeremony: true, members: assertionMembers, answers: [.ok(.shared(.stepUpGrant))],
      failures: [.forbidden, .gone],
      access: .session { try await $0.finishStepUp($1, $2) }),
  ]

  private func beginStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let body = try JSONBody(call.request)
    let (method, path) = (try body.string("method", atMost: 32), try body.string("path", atMost: 4_096))
    let digest = try body.base64URLIfPresent("bodySha256") ?? Digest.sha256([])
    let action = try ProtectedAction(method: method, path: path, bodyDigest: digest[...])
    try limit(session, call)
    let options = try await service.beginStepUp(for: action, by: session, in: call.context)
    return HTTPResponse(.ok, contentType: "application/json", body: options.json)
  }

  private func finishStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let response = try AuthenticationResponse(json: credential(JSONBody(call.request)))
    let granted = try await service.finishStepUp(response, by: session, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      if profile.saysVerified { object.write("verified", true) }
      object.write("header", .string(StepUpDemand.header))
      object.write("grant", .string(granted.token.exposedText))
      object.write("expiresAt", .string(granted.expiry.description))
    }
  }
}
