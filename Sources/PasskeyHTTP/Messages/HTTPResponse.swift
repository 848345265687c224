// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A response.
public struct HTTPResponse: Sendable {
  /// The status.
  public var status: HTTPStatus

  /// The header fields. The server adds the length, date and connection fields itself, and the security headers that
  /// are missing.
  public var headers: HTTPHeaders

  /// The body.
  public var body: [UInt8]

  /// The route pattern, for the log and the metrics; ``Router`` sets it.
  public internal(set) var route: String?

  /// The error code of the problem in the body, for the log and the metrics.
  public internal(set) var problemCode: String?

  /// Creates a response.
  public init(_ status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a body of this type.
  public init(_ status: HTTPStatus, contentType: String, body: [UInt8]) {
    self.init(status, body: body)
    headers.set("content-type", contentType)
  }

  /// Creates a response with a JSON object as its body.
  public static func json<Failure: Error>(
    _ status: HTTPStatus = .ok, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> HTTPResponse {
    HTTPResponse(status, contentType: "application/json", body: try JSON.writeObject(.compact, body))
  }

  /// A response without a body.
  public static let noContent = HTTPResponse(.noContent)
}
