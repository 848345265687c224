// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension Endpoints {
  static let devices = [
    Endpoint(
      name: .registerDevice, method: .post, summary: "Register a device for push messages",
      members: deviceMembers, answers: [.ok(.reference(.device))], failures: [.conflict, .unprocessableContent],
      access: .session { try await $0.registerDevice($1, $2) }),
    Endpoint(
      name: .eraseDevice, method: .delete, summary: "Erase a device",
      members: deviceMembers, answers: [.noContent], failures: [.notFound],
      access: .session { try await $0.eraseDevice($1, $2) }),
  ]

  private static let deviceMembers: [JSONSchema.Member] = [.required("token", .string), .optional("service", .string)]

  private func registerDevice(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let (push, token) = try deviceToken(JSONBody(call.request))
    let device = try await service.registerDevice(push, token: token, by: session, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.write("id", device.id.description)
      object.write("service", device.service.rawValue)
      object.write("createdAt", device.created)
    }
  }

  private func eraseDevice(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let (push, token) = try deviceToken(JSONBody(call.request))
    try await service.revokeDevice(.token(push, token), by: session, in: call.context)
    return .noContent
  }

  /// Reads the push service and the device token from a body. The default service is APNs. Tokens are not accepted in
  /// the path or the query, because proxies log those.
  private func deviceToken(_ body: JSONBody) throws(HTTPError) -> (PushService, String) {
    let push = try body.stringIfPresent("service", atMost: 64).map { PushService(rawValue: $0) }
    return (push ?? .apns, try body.string("token", atMost: 8_192))
  }
}
