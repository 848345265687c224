// SPDX-License-Identifier: Apache-2.0

/// A router that selects the handler of a request by method and path.
///
/// Each path matches at most one pattern: a parameter and a literal cannot share a position. `GET` handlers also handle
/// `HEAD`. The router answers `OPTIONS` with the list of allowed methods.
public struct EndpointRouter: Sendable {
  private struct Node: Sendable {
    var literals: [String: Node] = [:]
    var parameter: Parameter?
    /// The name of the parameter for all remaining segments, and the handlers of such paths.
    var rest: (name: String, entry: PathEntry)?
    var entry: PathEntry?
  }

  /// The routes below a parameter, which has the same name in all of them.
  private final class Parameter: Sendable {
    let name: String
    let node: Node

    init(name: String, node: Node) {
      self.name = name
      self.node = node
    }
  }

  private struct PathEntry: Sendable {
    let pattern: String
    var handlers: [EndpointMethod: EndpointRoute.Handler]

    /// The allowed methods, as the value of `Allow`.
    var allowed: String {
      var methods = Set(handlers.keys.map(\.rawValue)).union([EndpointMethod.options.rawValue])
      if handlers[.get] != nil { methods.insert(EndpointMethod.head.rawValue) }
      return methods.sorted().joined(separator: ", ")
    }
  }

  private let root: Node
  private let errors: ErrorResponses
  private let notFound: @Sendable (EndpointRequest) -> EndpointResponse?
  private let onUnknownError: @Sendable (any Error, EndpointRequest) -> Void
  private let allMethods: String
  /// The observers of each request, from the outside in.
  private var observers: [any RequestObserver] = []

  /// The routes in the order given.
  public let routes: [EndpointRoute]

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - routes: The routes.
  ///   - errors: The form of error responses; nil for problem details (RFC 9457).
  ///   - onUnknownError: Gets each error of a handler that is neither an error of this module nor of the service. Its response
  ///     is 500 and says nothing about it, so write it to your log.
  ///   - notFound: Responds to a request without a route; nil for the error `http.not-found`.
  /// - Throws: `http.route-ambiguous` if a pattern is malformed or two routes conflict.
  public init(
    _ routes: [EndpointRoute], errors: ErrorResponses? = nil,
    onUnknownError: @escaping @Sendable (any Error, EndpointRequest) -> Void = { (_, _) in },
    notFound: @escaping @Sendable (EndpointRequest) -> EndpointResponse? = { (_) in nil }
  ) throws(EndpointError) {
    var root = Node()
    for route in routes {
      let pattern = try RoutePattern(route.pattern)
      root = try Self.adding(route, pattern, pattern.parts[...], to: root)
    }
    self.root = root
    self.errors = errors ?? .standard
    self.notFound = notFound
    self.onUnknownError = onUnknownError
    self.routes = routes
    let methods = Set(routes.map(\.method.rawValue)).union([
      EndpointMethod.head.rawValue, EndpointMethod.options.rawValue,
    ])
    allMethods = methods.sorted().joined(separator: ", ")
  }

  /// Returns this router with an observer around those that it has.
  func observed(by observer: any RequestObserver) -> EndpointRouter {
    var router = self
    router.observers.insert(observer, at: 0)
    return router
  }

  /// Returns whether a route has the path of a target, for any method.
  func hasRoute(for target: RequestTarget) -> Bool { find(target.segments) != nil }

  /// Responds to a request. Thrown errors of a handler become problem responses. Adds the security headers that a response
  /// lacks, such as `Cache-Control: no-store`.
  public func respond(to request: EndpointRequest) async -> EndpointResponse {
    var handler: EndpointHandler = { (request) in await answer(request) }
    for observer in observers.reversed() {
      handler = { [handler] (request) in await observer.response(to: request, by: handler) }
    }
    var response = await handler(request)
    SecurityHeaders.add(to: &response.headers, isEncrypted: request.isEncrypted)
    return response
  }

  private func answer(_ request: EndpointRequest) async -> EndpointResponse {
    if request.target.segments == ["*"], request.target.path == "*" { return respondToServerOptions(request) }
    guard let (entry, parameters) = find(request.target.segments) else {
      return notFound(request) ?? errors.response(to: EndpointError(.notFound), requestID: request.id)
    }
    var response = await respond(to: request, at: entry, parameters)
    response.route = entry.pattern
    return response
  }

  private func respond(
    to request: EndpointRequest, at entry: PathEntry, _ parameters: [String: String]
  ) async -> EndpointResponse {
    let handler = entry.handlers[request.method] ?? (request.method == .head ? entry.handlers[.get] : nil)
    guard let handler else {
      var response =
        request.method == .options
        ? EndpointResponse.noContent : errors.response(to: EndpointError(.methodNotAllowed), requestID: request.id)
      response.headers.set("allow", entry.allowed)
      return response
    }
    var request = request
    request.parameters = parameters
    do {
      return try await handler(request)
    } catch {
      if let response = errors.knownResponse(to: error, requestID: request.id) { return response }
      onUnknownError(error, request)
      return errors.response(to: error, requestID: request.id)
    }
  }

  private func respondToServerOptions(_ request: EndpointRequest) -> EndpointResponse {
    guard request.method == .options else {
      return errors.response(to: EndpointError(.targetMalformed), requestID: request.id)
    }
    var response = EndpointResponse.noContent
    response.headers.set("allow", allMethods)
    return response
  }

  private func find(_ segments: [String]) -> (PathEntry, [String: String])? {
    var node = root
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      if let next = node.literals[segment] {
        node = next
      } else if let parameter = node.parameter, !segment.isEmpty {
        parameters[parameter.name] = segment
        node = parameter.node
      } else if let rest = node.rest, segments.last?.isEmpty == false {
        parameters[rest.name] = segments[index...].joined(separator: "/")
        return (rest.entry, parameters)
      } else {
        return nil
      }
    }
    return node.entry.map { ($0, parameters) }
  }

  private static func adding(
    _ route: EndpointRoute, _ pattern: RoutePattern, _ parts: ArraySlice<RoutePattern.Part>, to node: Node
  ) throws(EndpointError) -> Node {
    let ambiguous = EndpointError(.routeAmbiguous, detail: "\(route.method) \(route.pattern)")
    var node = node
    switch parts.first {
    case nil:
      node.entry = try adding(route, pattern, to: node.entry)
    case .rest(let name):
      guard node.literals.isEmpty, node.parameter == nil, node.rest?.name ?? name == name else { throw ambiguous }
      node.rest = (name, try adding(route, pattern, to: node.rest?.entry))
    case .literal(let name):
      guard node.parameter == nil, node.rest == nil else { throw ambiguous }
      node.literals[name] = try adding(route, pattern, parts.dropFirst(), to: node.literals[name] ?? Node())
    case .parameter(let name):
      guard node.literals.isEmpty, node.rest == nil, node.parameter?.name ?? name == name else { throw ambiguous }
      let rest = try adding(route, pattern, parts.dropFirst(), to: node.parameter?.node ?? Node())
      node.parameter = Parameter(name: name, node: rest)
    }
    return node
  }

  private static func adding(
    _ route: EndpointRoute, _ pattern: RoutePattern, to entry: PathEntry?
  ) throws(EndpointError) -> PathEntry {
    var entry = entry ?? PathEntry(pattern: pattern.text, handlers: [:])
    guard entry.handlers.updateValue(route.handler, forKey: route.method) == nil else {
      throw EndpointError(.routeAmbiguous, detail: "\(route.method) \(route.pattern)")
    }
    return entry
  }
}
