// SPDX-License-Identifier: Apache-2.0

/// A request method: a case-sensitive name from an open set (RFC 9110 §9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name as sent.
  public let rawValue: String

  /// Creates a method with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads the target and changes nothing.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Like ``get``, but the response has no body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Performs the action that the body describes.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces the target with the body.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes parts of the target.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Deletes the target.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Lists the supported methods.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// Whether the method is safe, so that it needs no `Origin` check.
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// The metric label. Unknown methods share one label, because clients can send any name.
  var label: String {
    switch self {
    case .get, .head, .post, .put, .patch, .delete, .options: rawValue
    default: "other"
    }
  }

  /// The name as sent.
  public var description: String { rawValue }
}
