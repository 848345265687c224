// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// A problem details object (RFC 9457): a stable code for programs and a title for people.
struct Problem {
  /// The HTTP status, repeated in the body as RFC 9457 specifies.
  var status: HTTPStatus

  /// A human-readable title, the same for every problem with this code.
  var title: String

  /// The stable code for programs.
  var code: String

  /// The path of the invalid member of the body.
  var member: String?

  /// The step-up to request, if the action requires one.
  var stepUp: StepUpDemand?

  /// The origin of the page, if it is not one of the relying party's.
  var origin: String?

  /// The signal with which a page removes the passkey that the server does not know.
  var signal: UnknownCredentialSignal?

  /// The problem type is a URN made from the code, and cannot be fetched.
  static let typePrefix = "urn:passkey:problem:"

  func response(requestID: RequestID) -> HTTPResponse {
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", Self.typePrefix + code)
      object.write("title", title)
      object.write("status", .integer(status.rawValue))
      object.write("code", code)
      if let member { object.write("member", member) }
      stepUp?.write(to: &object)
      if let origin { object.write("origin", origin) }
      if let signal {
        object.writeObject("signal") { (member: inout JSONObjectWriter) in signal.writeMembers(to: &member) }
      }
      object.write("requestId", requestID.description)
    }
    var response = HTTPResponse(status, contentType: "application/problem+json", body: body)
    response.problemCode = code
    return response
  }
}

extension HTTPResponse {
  /// Returns a problem details response (RFC 9457), for servers that add their own routes.
  ///
  /// Use a stable code, such as `order.not-enough-cash`, and never reuse it for another cause. Use the same title
  /// wherever the code appears.
  public static func problem(
    _ status: HTTPStatus, code: String, title: String, to request: HTTPRequest
  ) -> HTTPResponse {
    Problem(status: status, title: title, code: code).response(requestID: request.id)
  }
}
