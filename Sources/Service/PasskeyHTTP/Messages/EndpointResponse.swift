// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
public import WebAuthnTypes

/// A response.
public struct EndpointResponse: Sendable {
  /// The status.
  public var status: EndpointStatus

  /// The header fields. The server adds the length, date and connection fields, ``EndpointRouter`` the security headers
  /// that are missing.
  public var headers: EndpointHeaders

  /// The body.
  public var body: [UInt8]

  /// The route pattern, for the log and the metrics; ``EndpointRouter`` sets it.
  public internal(set) var route: String?

  /// The error code of the problem in the body, for the log and the metrics.
  public internal(set) var problemCode: String?

  /// The error of which the response tells, for the log.
  var error: (any Error)?

  /// Creates a response.
  public init(_ status: EndpointStatus, headers: EndpointHeaders = EndpointHeaders(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a body of this type.
  public init(_ status: EndpointStatus, contentType: String, body: [UInt8]) {
    self.init(status, body: body)
    headers.set("content-type", contentType)
  }

  /// Creates a response with a JSON value as its body: `.json(["user": "ada"])`.
  public static func json(_ body: ExtensionValue, status: EndpointStatus = .ok) -> EndpointResponse {
    EndpointResponse(status, contentType: "application/json", body: body.json)
  }

  /// Creates a response with a JSON object as its body.
  package static func json<Failure: Error>(
    _ status: EndpointStatus = .ok, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> EndpointResponse {
    EndpointResponse(status, contentType: "application/json", body: try JSON.writeObject(.compact, body))
  }

  /// A response without a body.
  public static let noContent = EndpointResponse(.noContent)
}

/// Which hosts browsers contact only with TLS after an encrypted response, for two years (HSTS, RFC 6797).
@nonexhaustive
public enum StrictTransportSecurity: String, Hashable, Sendable, CaseIterable {
  /// None because of this server: a proxy may add the header field.
  case off
  /// The host of the response.
  case host
  /// Also all hosts below it, with other servers. Those without TLS become unreachable.
  case subdomains
}

/// The security headers of every response, unless the response sets them itself.
package enum SecurityHeaders {
  /// Adds the missing headers.
  package static func add(
    to headers: inout EndpointHeaders, isEncrypted: Bool, transport: StrictTransportSecurity = .host
  ) {
    headers.add(always, ifMissing: true)
    // Browsers ignore HSTS over plain HTTP.
    if isEncrypted, let fields = whereEncrypted[transport] { headers.add(fields, ifMissing: true) }
  }

  // Validated once, not for each response.
  private static let always = EndpointHeaders([
    // Disable content-type sniffing.
    "x-content-type-options": "nosniff",
    // Responses contain tokens and personal data, which caches must not store.
    "cache-control": "no-store",
    // No response is a web page: if a browser renders one, it loads and runs nothing and cannot be framed.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-site",
  ])

  private static let whereEncrypted: [StrictTransportSecurity: EndpointHeaders] = [
    .host: EndpointHeaders(["strict-transport-security": "max-age=63072000"]),
    .subdomains: EndpointHeaders(["strict-transport-security": "max-age=63072000; includeSubDomains"]),
  ]
}

/// A status code (RFC 9110 §15).
public struct EndpointStatus: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates a status with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// 200.
  public static let ok = EndpointStatus(rawValue: 200)
  /// 201.
  public static let created = EndpointStatus(rawValue: 201)
  /// 202.
  public static let accepted = EndpointStatus(rawValue: 202)
  /// 204.
  public static let noContent = EndpointStatus(rawValue: 204)
  /// 302.
  public static let found = EndpointStatus(rawValue: 302)
  /// 400.
  public static let badRequest = EndpointStatus(rawValue: 400)
  /// 401.
  public static let unauthorized = EndpointStatus(rawValue: 401)
  /// 403.
  public static let forbidden = EndpointStatus(rawValue: 403)
  /// 404.
  public static let notFound = EndpointStatus(rawValue: 404)
  /// 405.
  public static let methodNotAllowed = EndpointStatus(rawValue: 405)
  /// 408.
  public static let requestTimeout = EndpointStatus(rawValue: 408)
  /// 409.
  public static let conflict = EndpointStatus(rawValue: 409)
  /// 410.
  public static let gone = EndpointStatus(rawValue: 410)
  /// 413.
  public static let contentTooLarge = EndpointStatus(rawValue: 413)
  /// 414.
  public static let targetTooLong = EndpointStatus(rawValue: 414)
  /// 415.
  public static let unsupportedMediaType = EndpointStatus(rawValue: 415)
  /// 417.
  public static let expectationFailed = EndpointStatus(rawValue: 417)
  /// 422.
  public static let unprocessableContent = EndpointStatus(rawValue: 422)
  /// 429.
  public static let tooManyRequests = EndpointStatus(rawValue: 429)
  /// 431.
  public static let headersTooLarge = EndpointStatus(rawValue: 431)
  /// 500.
  public static let internalServerError = EndpointStatus(rawValue: 500)
  /// 503.
  public static let serviceUnavailable = EndpointStatus(rawValue: 503)
}
