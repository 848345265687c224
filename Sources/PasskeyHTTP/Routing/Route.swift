// SPDX-License-Identifier: Apache-2.0

/// A method, a path and what answers there.
public struct Route: Sendable {
  /// The method. What answers `GET` answers `HEAD` as well.
  public let method: HTTPMethod

  /// The path, with a name in braces for each open part: `/api/auth/sessions/{id}`.
  public let pattern: String

  /// What answers.
  public let handler: RouteHandler

  /// Makes a route.
  public init(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping RouteHandler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
  }
}
