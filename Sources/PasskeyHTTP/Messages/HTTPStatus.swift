// SPDX-License-Identifier: Apache-2.0

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
