// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

/// A problem details object (RFC 9457): a stable code for programs and a title for people.
struct Problem {
  /// The HTTP status, repeated in the body as RFC 9457 specifies.
  var status: EndpointStatus

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
  var signal: CredentialSignal?

  /// The verification that a refused sign-in began.
  var verification: StartedVerification?

  /// How many more codes can be tried.
  var attemptsLeft: Int?

  /// The time from which a refused code is valid.
  var notBefore: UnixTime?

  /// The problem type is a URN made from the code, and cannot be fetched.
  static let typePrefix = "urn:passkey:problem:"

  func response(requestID: EndpointRequestID, in errors: ErrorResponses) -> EndpointResponse {
    let status = errors.status(code, otherwise: status)
    var values = ShapeValues()
    values.set(.errorType, Self.typePrefix + code)
    values.set(.errorTitle, title)
    values[.errorStatus] = .integer(Int64(status.rawValue))
    values.set(.errorCode, code)
    values.set(.errorMember, member)
    if let stepUp { values[.errorStepUp] = .encoded(stepUp.json) }
    values.set(.errorOrigin, origin)
    if let signal { values[.errorSignal] = .encoded(signal.json) }
    values.set(.errorVerificationToken, verification?.token.exposedText)
    values.set(.errorVerificationExpiry, verification?.expiry)
    values[.errorAttemptsLeft] = attemptsLeft.map { .integer(Int64($0)) }
    values.set(.errorNotBefore, notBefore)
    values.set(.errorRequestID, requestID.description)
    var response = EndpointResponse(
      status, contentType: errors.form.contentType, body: errors.form.shape.write(values))
    response.problemCode = code
    return response
  }
}

extension EndpointResponse {
  /// Returns a problem details response (RFC 9457), for servers that add their own routes.
  ///
  /// Use a stable code, such as `order.not-enough-cash`, and never reuse it for another cause. Use the same title
  /// wherever the code appears.
  public static func problem(
    _ status: EndpointStatus, code: String, title: String, to request: EndpointRequest
  ) -> EndpointResponse {
    Problem(status: status, title: title, code: code).response(requestID: request.id, in: .standard)
  }
}
