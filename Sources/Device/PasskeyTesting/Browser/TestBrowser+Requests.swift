// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

extension TestBrowser {
  /// Sends a request with the origin, the cookies and the bearer token of the browser, and keeps the cookies of the reply.
  ///
  /// - Parameters:
  ///   - method: The method, such as `POST`.
  ///   - path: The path, with the query.
  ///   - json: The body; nil for none.
  ///   - headers: More header fields.
  /// - Returns: The reply, with any status.
  /// - Throws: ``Failure/noHandler``, or the error of the handler.
  @discardableResult
  public func send(
    _ method: String, _ path: String, _ json: String? = nil, headers: [(name: String, value: String)] = []
  ) async throws -> Reply {
    try await send(method, path, body: json.map { Array($0.utf8) } ?? [], headers: headers)
  }

  /// Makes a passkey: posts `json` to `options` of the route, answers the options, and posts the response to `verify`.
  ///
  /// - Returns: The last reply: that of `options` if the server refuses to begin.
  /// - Throws: ``Failure``, such as ``Failure/notBegun(status:)`` if the server refuses to begin a ceremony with a fault, or
  ///   the error of the handler.
  @discardableResult
  public func register(
    _ json: String = "{}", at route: Route = .registration, fault: Fault? = nil
  ) async throws -> Reply {
    try await finish(json, at: route, fault) { (options) in try await create(options, fault: fault) }
  }

  /// Signs in: posts `json` to `options` of the route, answers the options, and posts the response to `verify`. It also
  /// performs other ceremonies with a passkey that exists, at their routes.
  ///
  /// - Parameters:
  ///   - json: The body of the first request.
  ///   - route: The route.
  ///   - user: The user name of the passkey to choose; nil for the passkey that was made last.
  ///   - fault: The fault of the response; nil for a valid one.
  /// - Returns: The last reply: that of `options` if the server refuses to begin.
  /// - Throws: ``Failure``, such as ``Failure/notBegun(status:)`` if the server refuses to begin a ceremony with a fault, or
  ///   the error of the handler.
  @discardableResult
  public func signIn(
    _ json: String = "{}", at route: Route = .signIn, as user: String? = nil, fault: Fault? = nil
  ) async throws -> Reply {
    try await finish(json, at: route, fault) { (options) in try await get(options, as: user, fault: fault) }
  }

  /// Confirms a request with a passkey, and sends it. The server is the sign-in service of this project, or one that takes
  /// `method`, `path` and `bodySha256` of an action and returns a `grant` with the `header` that carries it.
  ///
  /// - Returns: The reply to the request: that of the step-up if the server refuses it.
  /// - Throws: ``Failure``, such as ``Failure/noGrant`` if the server accepts the step-up without a grant, or the error of
  ///   the handler.
  @discardableResult
  public func confirm(
    _ method: String, _ path: String, _ json: String? = nil, at route: Route = .stepUp, fault: Fault? = nil
  ) async throws -> Reply {
    let body = json.map { Array($0.utf8) } ?? []
    let action = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("method", method)
      object.write("path", path)
      object.write("bodySha256", .base64URL(Digest.sha256(body)))
    }
    let granted = try await signIn(String(decoding: action, as: UTF8.self), at: route, fault: fault)
    guard granted.isSuccess else { return granted }
    guard let header = granted.text("header"), let grant = granted.text("grant") else { throw Failure.noGrant }
    return try await send(method, path, body: body, headers: [(name: header, value: grant)])
  }

  private func finish(
    _ json: String, at route: Route, _ fault: Fault?, _ answer: ([UInt8]) async throws -> [UInt8]
  ) async throws -> Reply {
    let begun = try await send("POST", route.options, json)
    guard begun.isSuccess else {
      guard fault == nil else { throw Failure.notBegun(status: begun.status) }
      return begun
    }
    return try await send("POST", route.verify, body: route.body(with: try await answer(begun.body)))
  }

  private func send(
    _ method: String, _ path: String, body: [UInt8], headers: [(name: String, value: String)] = []
  ) async throws -> Reply {
    guard let handler else { throw Failure.noHandler }
    var fields = sessionFields() + headers
    if !body.isEmpty { fields.append((name: "content-type", value: "application/json")) }
    let reply = try await handler(Request(method: method, path: path, headers: fields, body: body))
    keepCookies(of: reply)
    return reply
  }
}
