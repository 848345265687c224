// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// An answer.
public struct HTTPResponse: Sendable {
  /// How it went.
  public var status: HTTPStatus

  /// The header fields. Length, date and connection are the server's own affair, and what tells browsers to be careful
  /// is added where it is not there.
  public var headers: HTTPHeaders

  /// The body.
  public var body: [UInt8]

  /// The pattern of the route that answered, for log and metrics; ``Router`` sets it.
  public internal(set) var route: String?

  /// The code of the problem that the answer tells, for log and metrics.
  public internal(set) var problemCode: String?

  /// Makes an answer.
  public init(_ status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a body of this type.
  public init(_ status: HTTPStatus, contentType: String, body: [UInt8]) {
    self.init(status, body: body)
    headers.set("content-type", contentType)
  }

  /// An answer whose body is a JSON object.
  public static func json<Failure: Error>(
    _ status: HTTPStatus = .ok, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> HTTPResponse {
    HTTPResponse(status, contentType: "application/json", body: try JSON.writeObject(.compact, body))
  }

  /// An answer without a body.
  public static let noContent = HTTPResponse(.noContent)
}
