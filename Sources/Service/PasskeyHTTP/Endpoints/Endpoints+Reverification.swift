// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let reverification = [
    Endpoint(
      name: .reverifyOptions, summary: "Begin to verify the user of the session again", isCeremony: true,
      admitsUnverifiedUser: true, answers: [.init()], failures: [.forbidden],
      access: .session { try await $0.beginReverification($1, $2) }),
    Endpoint(
      name: .reverifyVerify, summary: "Finish the verification of the session's user", isCeremony: true,
      admitsUnverifiedUser: true, answers: [.init()], failures: [.forbidden, .gone],
      access: .session { try await $0.finishReverification($1, $2) }),
  ]

  private func beginReverification(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    try limit(session, call)
    let options = try await service.beginReverification(by: session, in: call.context)
    return reply(options.json, timeout: options.timeout, call)
  }

  private func finishReverification(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let response = try AuthenticationResponse(
      json: call.inputs().requiredObject(.credential), encoding: profile.encoding)
    let verified = try await service.finishReverification(
      ReceivedAuthentication(response), by: session, in: call.context)
    return Reply.values { (values) in
      add(verified.account, to: &values)
      add(verified.session, isThisOne: true, to: &values)
    }
  }
}
