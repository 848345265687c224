// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyProfiles
internal import PasskeySystem
package import WebAuthnClient
internal import WebAuthnTypes

/// The server under audit, and what checks need to reach it: requests within a budget, ceremonies, and accounts.
package final class AuditWorld: Sendable {
  package let options: AuditOptions
  package let recorder = Recorder()
  package let budget: RequestBudget

  /// Builds requests by the profile. It has no authenticator: checks make the responses.
  package let handshake: Handshake

  /// Sends a request. A stand-in for tests without a network replaces it.
  private let transport: AuditTransport

  /// Whether requests go over a network, where they can also be sent byte by byte.
  let hasNetwork: Bool

  private let state = Locked(State())

  private struct State {
    var people: [Person] = []
    var shared: [CheckGroup: Person] = [:]
    var leftBehind: [String] = []
    var statedRelyingPartyID: String?
    var hasAnswered = false
    var unanswered: ClientError?
    var loss: ClientError?
    var paused = Duration.zero
  }

  package var server: ServerAddress { options.server }
  package var profile: ServiceProfile { options.profile }

  /// The RP ID of the server, by default the host.
  package var relyingPartyID: String { options.relyingPartyID ?? server.host }

  /// The RP ID of the last options that named one; nil before.
  package var statedRelyingPartyID: String? { state.withLock { $0.statedRelyingPartyID } }

  /// Keeps the RP ID of options.
  func keep(statedRelyingPartyID id: String) { state.withLock { $0.statedRelyingPartyID = id } }

  /// The origin of the server's pages, by default the server's address.
  package var origin: String { options.origin ?? server.text }

  package init(_ options: AuditOptions, transport: AuditTransport? = nil) throws(ClientError) {
    let rate = options.rate
    var options = options
    // Requests that are sent byte by byte use the settings as they are, and must not use the environment's proxy either.
    if options.server.isLoopback, options.http.proxy == nil { options.http.proxy = "" }
    self.options = options
    let http = HTTPSession(server: options.server, settings: options.http)
    hasNetwork = transport == nil
    self.transport = transport ?? .network(options.server, options.http)
    budget = RequestBudget(maximum: options.maximumRequests, perSecond: rate)
    let origin = try mapError(WebOrigin(options.origin ?? options.server.text)) { (_: FormatError) in
      ClientError(.addressInvalid, "the origin \(options.origin ?? "")")
    }
    handshake = Handshake(
      profile: options.profile, http: http,
      client: Client(origin: origin, authenticator: NoAuthenticator(), interaction: NoInteraction()))
    if let code = options.invitation { recorder.hide(code: code) }
    recorder.hide(options.profile.values.values.compactMap(\.fixed))
  }

  // MARK: Requests

  /// Whether the server has answered any request.
  var hasAnswered: Bool { state.withLock { $0.hasAnswered } }

  /// Why the last request has no answer; nil if it has one.
  var unanswered: ClientError? { state.withLock { $0.unanswered } }

  /// Why the server is lost, so that the audit ends; nil if it is not.
  var loss: ClientError? { state.withLock { $0.loss } }

  /// Ends the audit, because ``unanswered`` requests show that the server is gone.
  func lose() { state.withLock { $0.loss = $0.unanswered } }

  /// Sends a request and records it. Waits if the server limits the rate.
  ///
  /// - Throws: ``CannotTell`` if no response arrived, if the budget is used up, or if the server limits requests for too
  ///   long.
  package func send(_ request: ServerRequest) async throws -> ServerReply {
    var pause = LimitPause(patience: options.patience, now: options.now)
    let request = try await prepared(request)
    while true {
      let reply = try await sendOnce(request)
      guard reply.status == 429 else { return reply }
      options.limited?(state.withLock { $0.paused })
      let time = try pause.next(after: reply)
      try await Task.sleep(for: time)
      state.withLock { $0.paused += time }
    }
  }

  /// Sends a request once and records it. A response with status 429 is returned.
  package func sendOnce(_ request: ServerRequest) async throws -> ServerReply {
    let request = try await prepared(request)
    try await budget.take()
    return try await transmit(request)
  }

  /// Returns a request with the values that its profile computes, which are asked from the server first.
  ///
  /// - Throws: ``CannotTell`` if the server does not return them.
  func prepared(_ request: ServerRequest) async throws -> ServerRequest {
    guard request.draft != nil else { return request }
    var request = request
    handshake.rewrite(&request)
    while let source = handshake.source(for: request) {
      let reply = try await send(source)
      do throws(ClientError) {
        try handshake.take(reply, to: source, into: &request)
      } catch {
        throw CannotTell("\(request) cannot be sent: \(error.detail ?? error.code.rawValue)")
      }
    }
    // Tokens against CSRF are secrets of their session.
    recorder.hide(request.draft?.values.kept.filter { $0.key.kind == .value }.compactMap(\.value.flatText) ?? [])
    return request
  }

  /// Sends a request that the budget has counted, and records it.
  private func transmit(_ request: ServerRequest) async throws(CannotTell) -> ServerReply {
    do throws(ClientError) {
      let reply = try await transport.send(request)
      state.withLock { ($0.hasAnswered, $0.unanswered) = (true, nil) }
      recorder.record(request, to: server, .success(reply))
      hideSecrets(in: reply, to: request)
      return reply
    } catch {
      // Without the outcome of this one request.
      state.withLock { $0.unanswered = error.isLossOfConnection ? error.with(outcome: nil) : nil }
      recorder.record(request, to: server, .failure(error))
      throw CannotTell("\(request) failed: \(error.detail ?? error.code.rawValue)")
    }
  }

  /// Hides the secrets of a response that its check may not read, by the shapes of the endpoint.
  private func hideSecrets(in reply: ServerReply, to request: ServerRequest) {
    guard reply.isSuccess, !reply.body.isEmpty else { return }
    let path = request.path.prefix { $0 != "?" }
    for endpoint in EndpointName.allCases {
      guard let contract = profile[endpoint], contract.method == request.method, contract.path == path,
        contract.response?.variables.isDisjoint(with: Self.secrets) == false
      else { continue }
      let values = values(reply, to: request, at: endpoint)
      recorder.hide(Self.secrets.compactMap { values.text($0) })
    }
  }

  private static let secrets: Set<ShapeVariable> = [
    .sessionToken, .sessionRefreshToken, .sessionClientToken, .grantToken,
  ]

  /// Sends a request in a person's session, and keeps the cookies of the response.
  package func send(_ request: ServerRequest, as person: Person) async throws -> ServerReply {
    guard var session = person.session else { throw CannotTell("\(person.name) has no session") }
    var request = request
    try handshake.authorize(&request, with: session)
    let reply = try await send(request)
    session.cookies = reply.cookies
    person.session = session
    return reply
  }

  /// Sends requests at the same time, each over a connection of its own. Waits before them, and keeps the rate on average.
  package func sendTogether(_ requests: [ServerRequest]) async throws -> [ServerReply] {
    var prepared: [ServerRequest] = []
    for request in requests { prepared.append(try await self.prepared(request)) }
    let requests = prepared
    try await budget.take(requests.count)
    return try await withThrowingTaskGroup(of: (Int, ServerReply).self) { (group) in
      for (index, request) in requests.enumerated() {
        group.addTask { (index, try await self.transmit(request)) }
      }
      var replies: [(Int, ServerReply)] = []
      for try await reply in group { replies.append(reply) }
      return replies.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Returns the request to an endpoint of the profile, without a session.
  ///
  /// - Throws: ``CannotTell`` if the profile does not have the endpoint.
  package func request(
    _ endpoint: EndpointName, _ values: ShapeValues = ShapeValues(), id: String? = nil
  ) throws -> ServerRequest {
    guard profile[endpoint] != nil else { throw CannotTell("the profile has no endpoint \(endpoint.rawValue)") }
    var request = try handshake.request(endpoint, values, id: id)
    // Without this, cookies of earlier responses would be sent.
    request.cookies = CookieJar()
    return request
  }

  /// Returns the values of a response by the shape of the endpoint; none if it has another shape.
  package func values(_ reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName) -> ShapeValues {
    (try? handshake.values(reply, to: request, at: endpoint)) ?? ShapeValues()
  }

  // MARK: Accounts

  /// Returns a person with a name of their own who has not registered yet.
  package func newName() throws -> String {
    let hex = Hex.encode(try AuditRandom.bytes(4))
    return profile.identifiers.email == .required
      ? "passkey-audit-\(hex)@\(options.mailDomain)" : "passkey-audit-\(hex)"
  }

  /// Throws ``CannotTell`` if registrations name no account, as at a server for one user who owns every passkey.
  package func demandAccounts() throws {
    let contract = profile[.registerOptions]
    let variables = (contract?.request?.variables ?? []).union(contract?.query?.variables ?? [])
    guard !variables.isDisjoint(with: [.accountUsername, .accountEmail, .accountName]) else {
      throw CannotTell("registrations name no account, so all passkeys can belong to one user")
    }
  }

  /// Returns the person whom the checks of a group share. The first call registers the person.
  package func sharedPerson(for group: CheckGroup) async throws -> Person {
    if let person = state.withLock({ $0.shared[group] }) { return person }
    let person = try await newPerson()
    state.withLock { $0.shared[group] = person }
    return person
  }

  /// Whether checks of a group share a person.
  func isShared(_ person: Person) -> Bool {
    state.withLock { $0.shared.values.contains { $0 === person } }
  }

  /// Replaces the shared person of a group at the next call, for example because a check damaged the account.
  package func forgetSharedPerson(for group: CheckGroup) {
    state.withLock { $0.shared[group] = nil }
  }

  /// Adds an account to those that are removed at the end.
  package func keepForRemoval(_ person: Person) {
    state.withLock { $0.people.append(person) }
  }

  /// Takes an account that a check erased from those that are removed at the end.
  package func forget(_ person: Person) {
    state.withLock { $0.people.removeAll { $0 === person } }
  }

  /// The accounts that the audit made, oldest first.
  package var people: [Person] { state.withLock { $0.people } }

  /// Adds a line to the report's list of what the audit left behind.
  package func leaveBehind(_ text: String) {
    state.withLock { $0.leftBehind.append(text) }
  }

  package var leftBehind: [String] { state.withLock { $0.leftBehind } }
}
