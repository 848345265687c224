// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// The endpoints behind the HTTP server of a framework.
///
/// It answers the requests for the endpoints, guards the application's own routes, reports each refusal, and counts the
/// requests in the metrics of the endpoints.
///
/// ```swift
/// let passkeys = try EndpointResponder(Endpoints(service: service)) { print($0) }
/// let response = await passkeys.respond { try EndpointRequest("GET", "/api/auth/me", headers: fields, body: body, peer: peer) }
/// let session = try await passkeys.admit(with: .stepUp) { request }
/// ```
public struct EndpointResponder: Sendable {
  /// The endpoints.
  public let endpoints: Endpoints

  private var router: EndpointRouter
  private let crossOrigin: EndpointRouter.CrossOriginPolicy
  private let proxies: TrustedProxies
  private let metrics: ServerMetrics?
  private let report: @Sendable (RefusedRequest) -> Void

  /// The requirement of a route of the application.
  public enum Admission: Sendable {
    /// A session.
    case session
    /// A session, and a confirmation of this request (RFC 9470), which the admission spends.
    case stepUp
  }

  /// Creates a responder. Create it once per process, like the endpoints.
  ///
  /// - Parameters:
  ///   - endpoints: The endpoints.
  ///   - routes: More routes, such as those of pages.
  ///   - proxies: The proxies that are trusted to name the client.
  ///   - report: Gets each refused request, for the log.
  /// - Throws: `http.route-ambiguous` if a pattern is malformed or two routes conflict.
  public init(
    _ endpoints: Endpoints, adding routes: [EndpointRoute] = [], trusting proxies: TrustedProxies = .none,
    report: @escaping @Sendable (RefusedRequest) -> Void
  ) throws(EndpointError) {
    self.endpoints = endpoints
    router = try EndpointRouter(endpoints.routes + routes, errors: endpoints.errors)
    crossOrigin = endpoints.crossOriginPolicy
    self.proxies = proxies
    metrics = endpoints.metrics.map { ServerMetrics($0) }
    self.report = report
  }

  /// Returns this responder with observers of its router: `logging(to:)`, `recordingMetrics()` and `tracing()` of the
  /// package traits. They see requests of ``respond(to:)`` that could be read.
  ///
  /// ```swift
  /// let observed = responder.observed { $0.recordingMetrics().tracing() }
  /// ```
  public func observed(_ observe: (EndpointRouter) -> EndpointRouter) -> EndpointResponder {
    var responder = self
    responder.router = observe(router)
    return responder
  }

  /// Returns whether this responder answers requests with a target, the path and query as sent: one of the routes has the
  /// path, or the target is malformed and the answer is 400.
  public func serves(_ target: String) -> Bool {
    guard let target = try? RequestTarget(target.utf8) else { return true }
    return router.hasRoute(for: target)
  }

  /// Answers a request.
  ///
  /// - Parameter read: Reads the request. Its error becomes the response, for example 413 for `http.body-too-large`, without
  ///   header fields for pages of other origins.
  /// - Returns: The response, whose error is reported.
  public func respond(to read: () async throws -> EndpointRequest) async -> EndpointResponse {
    let beginning = ContinuousClock.now
    metrics?.beginRequest()
    defer { metrics?.endRequest() }
    let request: EndpointRequest
    do {
      request = try await read().forwarded(by: proxies)
    } catch {
      let response = refusal(by: error, of: nil).response
      metrics?.observe(nil, nil, response.status.rawValue, response.problemCode, .now - beginning)
      return response
    }
    var response = await crossOrigin.respond(to: request, by: router.respond)
    response.headers.set("x-request-id", request.id.description)
    if let error = response.error { report(RefusedRequest(request, response, error, request.id)) }
    metrics?.observe(AccessLogEntry(request, response, since: beginning))
    return response
  }

  /// Admits a request to a route of the application.
  ///
  /// - Parameters:
  ///   - admission: What the request must present.
  ///   - read: Reads the request. A confirmation is for its method, target and body.
  /// - Returns: The session of the signed-in account.
  /// - Throws: The refusal, with the response for the client. A missing confirmation gets the step-up to request.
  public func admit(
    with admission: Admission, _ read: () async throws -> EndpointRequest
  ) async throws(RefusedRequest) -> AuthenticatedSession {
    var request: EndpointRequest?
    do {
      let received = try await read().forwarded(by: proxies)
      request = received
      let session = try await endpoints.authenticate(received)
      if case .stepUp = admission { _ = try await endpoints.spendConfirmation(of: received, by: session) }
      return session
    } catch {
      throw refusal(by: error, of: request)
    }
  }

  /// Reports a refusal and returns it.
  private func refusal(by error: any Error, of request: EndpointRequest?) -> RefusedRequest {
    let id = request?.id ?? .random()
    var response = endpoints.errors.response(to: error, requestID: id)
    response.headers.set("x-request-id", id.description)
    SecurityHeaders.add(to: &response.headers, isEncrypted: request?.isEncrypted ?? false)
    let refused = RefusedRequest(request, response, error, id)
    report(refused)
    return refused
  }
}

extension AccessLogEntry {
  fileprivate init(_ request: EndpointRequest, _ response: EndpointResponse, since beginning: ContinuousClock.Instant) {
    self.init(
      time: request.receivedAt, id: request.id, client: request.client, method: request.method,
      path: request.target.path, route: response.route, status: response.status.rawValue, code: response.problemCode,
      receivedBytes: request.body.count, sentBytes: response.body.count, duration: .now - beginning,
      userAgent: request.headers["user-agent"], isComplete: true)
  }
}

extension EndpointResponder {
  /// A refused or failed request.
  public struct RefusedRequest: Error, Sendable {
    /// The response for the client.
    public let response: EndpointResponse

    /// The exact code of the cause. Clients get a wider one if it would reveal who has an account.
    public let code: String

    /// The error. Its description is for the log, not for clients.
    public let error: any Error

    /// The method and the path; nil if the request could not be read.
    public let target: (method: EndpointMethod, path: String)?

    /// The identifier of the request, which the response has too.
    public let requestID: EndpointRequestID

    init(_ request: EndpointRequest?, _ response: EndpointResponse, _ error: any Error, _ id: EndpointRequestID) {
      self.response = response
      code = response.problemCode ?? EndpointError.Code.internalError.rawValue
      self.error = error
      target = request.map { ($0.method, $0.target.path) }
      requestID = id
    }
  }
}

extension EndpointResponder.RefusedRequest: CustomStringConvertible {
  /// The request, the status, the error and the request ID, for a log line.
  public var description: String {
    let request = target.map { "\($0.method.rawValue) \($0.path)" } ?? "unreadable request"
    return "\(request): \(response.status.rawValue) \(error), request \(requestID)"
  }
}
