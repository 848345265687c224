// SPDX-License-Identifier: Apache-2.0

/// A method, a path pattern and their handler.
public struct Route: Sendable {
  /// The method. The handler of `GET` also handles `HEAD`.
  public let method: HTTPMethod

  /// The path pattern, with a name in braces for each parameter: `/api/auth/sessions/{id}`.
  public let pattern: String

  /// The handler.
  public let handler: RouteHandler

  /// Creates a route.
  public init(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping RouteHandler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
  }
}
