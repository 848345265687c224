// SPDX-License-Identifier: Apache-2.0

/// A request's method: an open set of names, in which case counts (RFC 9110, §9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name as it is sent.
  public let rawValue: String

  /// The method of this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads, without a change.
  public static let get = HTTPMethod(rawValue: "GET")
  /// What ``get`` would answer, without the body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Acts on what the body says.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Puts the body in the target's place.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes parts of the target.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Takes the target away.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what may be done.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// Whether it changes nothing, so that it needs no look at where the request comes from.
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// The name as a label of a metric: a client can invent as many as it likes.
  var label: String {
    switch self {
    case .get, .head, .post, .put, .patch, .delete, .options: rawValue
    default: "other"
    }
  }

  /// The name as it is sent.
  public var description: String { rawValue }
}
