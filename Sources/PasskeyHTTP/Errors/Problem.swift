// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What is told of an error (RFC 9457): for programs a code that is never renamed, for people a title.
struct Problem {
  /// The status, which is told a second time in the body for whoever has only that.
  var status: HTTPStatus

  /// What a person may read; the same for every problem with this code.
  var title: String

  /// What a program goes by.
  var code: String

  /// The member of the body that is at fault.
  var member: String?

  /// What to ask for, where the act has to be confirmed.
  var stepUp: StepUpDemand?

  /// The type is a URN of the code: a name, which is not there to be fetched.
  static let typePrefix = "urn:passkey:problem:"

  func response(requestID: RequestID) -> HTTPResponse {
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", .string(Self.typePrefix + code))
      object.write("title", .string(title))
      object.write("status", .integer(status.rawValue))
      object.write("code", .string(code))
      if let member { object.write("member", .string(member)) }
      stepUp?.write(to: &object)
      object.write("requestId", .string(requestID.description))
    }
    var response = HTTPResponse(status, contentType: "application/problem+json", body: body)
    response.problemCode = code
    return response
  }
}

extension HTTPResponse {
  /// What a server with routes of its own refuses, told as everything else is (RFC 9457): a code for programs that is never
  /// given to another cause, such as `order.not-enough-cash`, and a title for people, the same wherever the code is.
  public static func problem(
    _ status: HTTPStatus, code: String, title: String, to request: HTTPRequest
  ) -> HTTPResponse {
    Problem(status: status, title: title, code: code).response(requestID: request.id)
  }
}
