// SPDX-License-Identifier: Apache-2.0

/// A method, a path pattern and their handler.
public struct EndpointRoute: Sendable {
  /// The method. The handler of `GET` also handles `HEAD`.
  public let method: EndpointMethod

  /// The path pattern, with a name in braces for each parameter: `/api/auth/sessions/{id}`. A last parameter with an
  /// asterisk, `{path*}`, stands for one or more segments.
  package let pattern: String

  /// The handler.
  public let handler: Handler

  /// Creates a route. Until its first suspension, the handler runs on the thread that reads requests, and must not block.
  public init(_ method: EndpointMethod, _ pattern: String, _ handler: @escaping Handler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
  }
}

/// A path pattern with parameters: `/api/auth/sessions/{id}`.
struct RoutePattern: Hashable {
  enum Part: Hashable {
    case literal(String)
    case parameter(String)
    /// A parameter for all remaining segments.
    case rest(String)
  }

  let text: String
  let parts: [Part]

  /// Parses a pattern. A parameter stands for a whole segment, or with an asterisk for the last ones, and its name must be
  /// unique.
  init(_ text: String) throws(EndpointError) {
    let ambiguous = EndpointError(.routeAmbiguous, detail: text)
    guard text.utf8.first == UInt8(ascii: "/") else { throw ambiguous }
    var parts: [Part] = []
    for part in text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if case .rest = parts.last { throw ambiguous }
      if part.hasPrefix("{"), part.hasSuffix("}") {
        let isRest = part.hasSuffix("*}")
        let name = part.dropFirst().dropLast(isRest ? 2 : 1)
        guard EndpointHeaders.isToken(name.utf8), !parts.contains(.parameter(String(name))) else { throw ambiguous }
        parts.append(isRest ? .rest(String(name)) : .parameter(String(name)))
      } else {
        guard !part.isEmpty, !part.contains(where: { "{}%?#".contains($0) }) else { throw ambiguous }
        parts.append(.literal(String(part)))
      }
    }
    self.text = text
    self.parts = parts
  }
}

/// A function that handles requests, many concurrently.
///
/// Until its first suspension, the handler runs on the thread that reads requests, and must not block. Move slow work
/// into a task.
public typealias EndpointHandler = @Sendable (EndpointRequest) async -> EndpointResponse

extension EndpointRoute {
  /// A function that handles the requests of one route. The router maps thrown errors to problems.
  public typealias Handler = @Sendable (EndpointRequest) async throws -> EndpointResponse
}
