// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

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

/// The security headers of every response, unless the response sets them itself.
package enum SecurityHeaders {
  /// Adds the missing headers.
  package static func add(to headers: inout HTTPHeaders, isEncrypted: Bool) {
    headers.add(always, ifMissing: true)
    // Browsers ignore HSTS over plain HTTP.
    if isEncrypted { headers.add(whereEncrypted, ifMissing: true) }
  }

  // Validated once, not for each response.
  private static let always = HTTPHeaders([
    // Disable content-type sniffing.
    "x-content-type-options": "nosniff",
    // Responses contain tokens and personal data, which caches must not store.
    "cache-control": "no-store",
    // No response is a web page: if a browser renders one, it loads and runs nothing and cannot be framed.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-site",
  ])

  private static let whereEncrypted = HTTPHeaders([
    "strict-transport-security": "max-age=63072000; includeSubDomains"
  ])
}

/// A status code (RFC 9110 §15).
public struct HTTPStatus: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates a status with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// 200.
  public static let ok = HTTPStatus(rawValue: 200)
  /// 201.
  public static let created = HTTPStatus(rawValue: 201)
  /// 202.
  public static let accepted = HTTPStatus(rawValue: 202)
  /// 204.
  public static let noContent = HTTPStatus(rawValue: 204)
  /// 400.
  public static let badRequest = HTTPStatus(rawValue: 400)
  /// 401.
  public static let unauthorized = HTTPStatus(rawValue: 401)
  /// 403.
  public static let forbidden = HTTPStatus(rawValue: 403)
  /// 404.
  public static let notFound = HTTPStatus(rawValue: 404)
  /// 405.
  public static let methodNotAllowed = HTTPStatus(rawValue: 405)
  /// 408.
  public static let requestTimeout = HTTPStatus(rawValue: 408)
  /// 409.
  public static let conflict = HTTPStatus(rawValue: 409)
  /// 410.
  public static let gone = HTTPStatus(rawValue: 410)
  /// 413.
  public static let contentTooLarge = HTTPStatus(rawValue: 413)
  /// 414.
  public static let targetTooLong = HTTPStatus(rawValue: 414)
  /// 415.
  public static let unsupportedMediaType = HTTPStatus(rawValue: 415)
  /// 417.
  public static let expectationFailed = HTTPStatus(rawValue: 417)
  /// 422.
  public static let unprocessableContent = HTTPStatus(rawValue: 422)
  /// 429.
  public static let tooManyRequests = HTTPStatus(rawValue: 429)
  /// 431.
  public static let headersTooLarge = HTTPStatus(rawValue: 431)
  /// 500.
  public static let internalServerError = HTTPStatus(rawValue: 500)
  /// 503.
  public static let serviceUnavailable = HTTPStatus(rawValue: 503)
}
