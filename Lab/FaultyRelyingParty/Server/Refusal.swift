// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP

/// A request that the relying party refuses.
struct Refusal: Error {
  var status: EndpointStatus
  var code: String
  var headers = EndpointHeaders()

  /// Whether the response has a member that others do not have.
  var hasHint = false

  /// The action to confirm, if a step-up is needed.
  var action: Action?

  init(_ status: EndpointStatus, _ code: String) {
    self.status = status
    self.code = code
  }

  /// The session is missing, unknown or expired.
  static let notSignedIn: Refusal = {
    var refusal = Refusal(.unauthorized, "session.invalid")
    refusal.headers.set("www-authenticate", "Bearer")
    return refusal
  }()

  /// The request needs a step-up for exactly this action.
  static func needsStepUp(_ action: Action) -> Refusal {
    var refusal = Refusal(.unauthorized, "step-up.required")
    refusal.headers.set("www-authenticate", #"Bearer error="insufficient_user_authentication""#)
    refusal.action = action
    return refusal
  }

  /// Returns problem details (RFC 9457).
  func response(to request: EndpointRequest) -> EndpointResponse {
    let body = JSON.writeObject { (problem: inout JSONObjectWriter) in
      problem.write("type", "urn:passkey:problem:\(code)")
      problem.write("title", "Refused")
      problem.write("status", .integer(status.rawValue))
      problem.write("code", code)
      if hasHint { problem.write("hint", "register first") }
      if let action {
        problem.writeObject("stepUp") { (demand: inout JSONObjectWriter) in
          demand.write("method", action.method)
          demand.write("path", action.path)
          demand.write("bodySha256", .base64URL(action.bodyDigest))
          demand.write("header", Action.grantHeader)
          demand.write("options", "/api/auth/step-up/options")
        }
      }
      problem.write("requestId", request.id.description)
    }
    var response = EndpointResponse(status, contentType: "application/problem+json", body: body)
    for field in headers.fields { response.headers.add(field.name, field.value) }
    return response
  }
}
