// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let stepUp = [
    Endpoint(
      name: .stepUpOptions, summary: "Begin to confirm an action", isCeremony: true, answers: [.init()],
      failures: [.forbidden, .unprocessableContent], access: .session { try await $0.beginStepUp($1, $2) }),
    Endpoint(
      name: .stepUpVerify, summary: "Finish a confirmation and get the grant to present with the action",
      isCeremony: true, answers: [.init()], failures: [.forbidden, .gone, .unprocessableContent],
      access: .session { try await $0.finishStepUp($1, $2) }),
  ]

  private func beginStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let action = try action(in: call.inputs())
    try limit(session, call)
    let options = try await service.beginStepUp(for: action, by: session, in: call.context)
    return reply(options.json, timeout: options.timeout, call)
  }

  private func action(in inputs: ShapeValues) throws -> ProtectedAction {
    try ProtectedAction(
      method: inputs.text(.actionMethod) ?? "", path: inputs.text(.actionPath) ?? "",
      bodyDigest: inputs.bytes(.actionBodyDigest) ?? Digest.sha256([])[...])
  }

  private func finishStepUp(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let inputs = try call.inputs()
    let response = try AuthenticationResponse(json: inputs.requiredObject(.credential), encoding: profile.encoding)
    // A page writes an empty object in place of an action that it does not name.
    let namesAction = inputs.text(.actionMethod) != nil || inputs.text(.actionPath) != nil
    let action = try namesAction ? action(in: inputs) : nil
    let granted = try await service.finishStepUp(
      ReceivedAuthentication(response), by: session, in: call.context)
    var receipt: [UInt8]?
    if let action {
      receipt = try await service.receipt(for: granted, of: action, waitingAtMost: Self.receiptPatience)
    }
    return Reply.values { (values) in
      values[.receipt] = receipt.map { (receipt) in .encoded(receipt) }
      values.set(.grantHeader, profile.headers.stepUp)
      values.set(.grantToken, granted.token.exposedText)
      values.set(.grantExpiry, granted.expiry)
    }
  }

  // 3 seconds [passkey-server signs the log each second]
  private static let receiptPatience = Duration.seconds(3)
}

/// A demand for a step-up, because the request has no grant or a rejected one (RFC 9470).
struct StepUpDemand: Error, CustomStringConvertible {
  /// Whether the grant is missing or was rejected.
  let code: ServiceError.Code

  /// The requested action.
  let action: ProtectedAction

  /// The request header with the step-up grant.
  let header: String

  /// The path that begins a step-up; nil if the profile has none.
  let optionsPath: String?

  /// The code, for a log line.
  var description: String { code.rawValue }

  /// The challenge of the 401 response.
  static let challenge = #"Bearer error="insufficient_user_authentication""#

  /// The member `stepUp` of a problem: the action to confirm, in the form in which the client sends it back.
  var json: [UInt8] {
    JSON.writeObject { (demand: inout JSONObjectWriter) in
      demand.write("method", action.method)
      demand.write("path", action.path)
      demand.write("bodySha256", .base64URL(action.bodyDigest))
      demand.write("header", header)
      if let optionsPath { demand.write("options", optionsPath) }
    }
  }
}
