// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

extension AuditWorld {
  /// The time.
  var now: UnixTime { options.now() }

  /// The first of the two accounts that checks share.
  func mainPerson() async throws -> Person { try await sharedPerson(for: .session) }

  /// The second of the two accounts that checks share.
  func otherPerson() async throws -> Person { try await sharedPerson(for: .http) }

  /// Signs a person in, by default the one that checks share.
  ///
  /// With `byCookie`, the session has to be in a cookie, as of a browser. `change` changes both requests of the sign-in.
  ///
  /// - Throws: ``CannotTell`` if the server refuses, or has no cookies.
  func open(
    _ person: Person? = nil, byCookie: Bool = false, _ change: (inout ServerRequest) -> Void = { (_) in }
  ) async throws -> OpenSession {
    let signIn = try await finishSignIn(person, byCookie: byCookie, change)
    return try opened(signIn)
  }

  /// A sign-in that the server finished.
  struct FinishedSignIn: Sendable {
    let person: Person
    let request: ServerRequest
    let reply: ServerReply
    let isInCookie: Bool
  }

  /// Signs a person in like ``open(_:byCookie:_:)``, and returns the response, which may be a redirect.
  ///
  /// - Throws: ``CannotTell`` if the server refuses, or has no cookies.
  func finishSignIn(
    _ person: Person? = nil, byCookie: Bool = false, _ change: (inout ServerRequest) -> Void = { (_) in }
  ) async throws -> FinishedSignIn {
    let person = if let person { person } else { try await mainPerson() }
    let isInCookie = byCookie || profile.presentation != .bearer
    if isInCookie, !profile.sessions.allows(.cookie) { throw CannotTell("the profile has no cookies") }
    var begin = try beginRequest(.signInOptions, name: person.name)
    if byCookie { askForCookies(&begin) }
    change(&begin)
    begin = try await prepared(begin)
    let begun = try begun(.signInOptions, name: person.name, try await send(begin), to: begin)
    var finish = try finishRequest(begun, try assertion(begun, by: person.passkey).json())
    if byCookie { askForCookies(&finish) }
    let bound = finish.cookies
    change(&finish)
    if let bound, let changed = finish.cookies { finish.cookies = bound.adding(changed) }
    let reply = try await send(finish)
    guard reply.isSuccess || reply.isRedirect else {
      throw CannotTell("a valid sign-in was refused: \(reply.shortened)")
    }
    return FinishedSignIn(person: person, request: finish, reply: reply, isInCookie: isInCookie)
  }

  /// Returns the session that a sign-in opened.
  ///
  /// - Throws: ``CannotTell`` if it opened none.
  func opened(_ signIn: FinishedSignIn) throws -> OpenSession {
    let (person, reply, request, isInCookie) = (signIn.person, signIn.reply, signIn.request, signIn.isInCookie)
    let values = values(reply, to: request, at: .signInVerify)
    // A server that keeps the cookie of the visit sets none.
    let cookie = reply.setCookies.first { $0.has(name: cookieName) }?.content ?? reply.cookies.value(of: cookieName)
    guard let secret = isInCookie ? cookie : values.text(.sessionToken) else {
      throw CannotTell("the sign-in opens no session \(isInCookie ? "in a cookie" : "by a token")")
    }
    var session = ServerSession(
      server: server, profile: profile.name, user: person.name, expiry: values.time(.sessionExpiry),
      token: isInCookie ? nil : SecretBytes(utf8: secret),
      refreshToken: values.text(.sessionRefreshToken).map { SecretBytes(utf8: $0) }, cookies: reply.cookies)
    if !isInCookie { session.cookies = CookieJar() }
    recorder.hide([secret, session.refreshToken?.exposedText].compactMap { $0 })
    return OpenSession(person: person, session: session, reply: reply, isInCookie: isInCookie, secret: secret)
  }

  /// Makes a request one for which the server returns its tokens in cookies.
  func askForCookies(_ request: inout ServerRequest) {
    let own: Set<String> = [profile.headers.tokens, "origin", "sec-fetch-site"]
    request.headers.removeAll { own.contains($0.name) }
    request.headers.append(HeaderField(profile.headers.tokens, "cookie"))
    request.headers.append(HeaderField("sec-fetch-site", "same-origin"))
    if request.isWrite { request.headers.append(HeaderField("origin", origin)) }
  }

  /// Adds a session to a request.
  func authorize(_ request: inout ServerRequest, _ session: OpenSession) throws {
    try handshake.authorize(&request, with: session.session)
    if session.isInCookie { askForCookies(&request) }
  }

  /// Adds a token to a request, in the way in which the server takes it.
  func present(_ token: String, in request: inout ServerRequest) {
    if profile.presentation == .bearer {
      request.bearer = SecretBytes(utf8: token)
    } else {
      add(cookie: token, to: &request)
    }
  }

  /// Adds a session cookie to a request.
  func add(cookie value: String, to request: inout ServerRequest) {
    let isEncrypted = server.text.hasPrefix("https:")
    let name = isEncrypted && profile.sessions.cookie.prefix == .host ? "__Host-\(cookieName)" : cookieName
    let fields = [server.host, "FALSE", "/", isEncrypted ? "TRUE" : "FALSE", "0", name, value]
    guard let jar = CookieJar(lines: [fields.joined(separator: "\t")]) else { return }
    request.cookies = (request.cookies ?? CookieJar()).adding(jar)
  }

  /// The name of the session cookie without a prefix.
  var cookieName: String { profile.sessions.cookie.name }

  /// The names of the session and the refresh cookie without a prefix.
  var sessionCookieNames: [String] { [cookieName, "\(cookieName).refresh"] }

  /// The session and refresh cookies that a sign-in sets.
  func secretCookies(_ session: OpenSession) -> [SetCookie] {
    session.reply.setCookies.filter { (cookie) in sessionCookieNames.contains { cookie.has(name: $0) } }
  }

  /// Sends a request to an endpoint in a session.
  func call(
    _ endpoint: EndpointName, id: String? = nil, in session: OpenSession,
    _ fill: (inout ShapeValues) -> Void = { (_) in }
  ) async throws -> ServerReply {
    var values = ShapeValues()
    fill(&values)
    var request = try request(endpoint, values, id: id)
    try authorize(&request, session)
    return try await send(request)
  }

  /// Whether a session is open.
  ///
  /// - Throws: ``CannotTell`` if the server fails, so that an error is not taken for the end of the session.
  func isOpen(_ session: OpenSession) async throws -> Bool {
    let endpoint = shownBy ?? .me
    return try shows(await call(endpoint, in: session), at: endpoint)
  }

  /// Whether a response shows a session: a success with an account, or with a list that is not empty, where the profile
  /// describes them. Some servers answer a visitor with a success and no account.
  ///
  /// - Throws: ``CannotTell`` if the server fails.
  func shows(_ reply: ServerReply, at endpoint: EndpointName) throws -> Bool {
    if try refused(reply) { return false }
    let described = (profile[endpoint]?.response?.variables ?? []).intersection(Self.shown)
    guard !described.isEmpty else { return true }
    let values = values(reply, to: try request(endpoint), at: endpoint)
    return described.contains { (variable) in
      values.list(variable).map { !$0.isEmpty } ?? (values[variable] != nil)
    }
  }

  private static let shown: Set<ShapeVariable> = [
    .accountID, .accountUsername, .accountEmail, .accountName, .sessions, .credentials,
  ]

  /// The endpoint that shows whether a session is open; nil if the profile has none.
  var shownBy: EndpointName? { [.me, .sessions, .credentials].first { profile[$0] != nil } }

  /// Signs out.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  func signOut(_ session: OpenSession) async throws {
    let reply = try await call(.signOut, in: session)
    // A redirect after a sign-out leads to another page, and so does one that asks for a sign-in or a token.
    guard reply.isRedirect else { return try reply.require("sign-out") }
    guard try await !isOpen(session) else {
      throw CannotTell("sign-out was answered with a redirect (\(reply.status)), and the session is open")
    }
  }

  /// Renews a session with its refresh token.
  func refresh(_ session: OpenSession) async throws -> ServerReply {
    var values = ShapeValues()
    values.set(.sessionRefreshToken, session.refreshToken)
    var request = try request(.refresh, values)
    if session.isInCookie { try authorize(&request, session) }
    return try await send(request)
  }

  /// Whether a renewal gave new tokens, in the body or in a cookie.
  ///
  /// - Throws: ``CannotTell`` if the server fails, or answers with a success and no token.
  func isRenewal(_ reply: ServerReply) throws -> Bool {
    if try refused(reply) { return false }
    let isInCookie = reply.setCookies.contains { $0.has(name: cookieName) }
    guard try isInCookie || values(reply, to: request(.refresh), at: .refresh).text(.sessionToken) != nil else {
      throw CannotTell("the renewal was answered with \(reply.status) and no token")
    }
    return true
  }

  /// Renews a session, and returns it with its new tokens.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  @discardableResult
  func requireRefresh(of session: OpenSession) async throws -> OpenSession {
    try session.requireRefreshToken()
    let reply = try await refresh(session)
    try reply.require("refresh")
    let request = try request(.refresh)
    let values = values(reply, to: request, at: .refresh)
    guard let token = values.text(.sessionToken) else { throw CannotTell("the renewal returns no token") }
    var renewed = OpenSession(
      person: session.person, session: session.session, reply: reply, isInCookie: false, secret: token)
    renewed.session.token = SecretBytes(utf8: token)
    renewed.refreshToken = values.text(.sessionRefreshToken) ?? session.refreshToken
    recorder.hide([token, renewed.refreshToken].compactMap { $0 })
    return renewed
  }

  /// Renews a session again with the refresh token that was used for `renewed`.
  ///
  /// A server may return the same tokens again for some seconds, to a client that lost the response. Then the token is
  /// used once more after that time.
  func useAgain(_ session: OpenSession, after renewed: OpenSession) async throws -> ServerReply {
    let reply = try await refresh(session)
    let values = values(reply, to: try request(.refresh), at: .refresh)
    let isRepeated = reply.isSuccess && values.text(.sessionToken) == renewed.secret
    guard isRepeated else { return reply }
    // Clocks show whole seconds.
    try await Task.sleep(for: options.patience + .seconds(2))
    return try await refresh(session)
  }

  /// Returns the IDs in the list of the account's sessions.
  ///
  /// - Throws: ``CannotTell`` if the list has none, as a profile with another shape shows it.
  func sessionIDs(in session: OpenSession) async throws -> [String] {
    let ids = try await listedSessions(in: session).compactMap { $0.text(.sessionID) }
    guard !ids.isEmpty else { throw CannotTell("the list of sessions has no IDs") }
    return ids
  }

  private func listedSessions(in session: OpenSession) async throws -> [ShapeValues] {
    let reply = try await call(.sessions, in: session)
    try reply.require("sessions")
    return values(reply, to: try request(.sessions), at: .sessions).list(.sessions) ?? []
  }

  /// Returns the ID of a session, from the list of the account's sessions.
  func sessionID(of session: OpenSession) async throws -> String {
    let listed = try await listedSessions(in: session)
    guard let id = listed.first(where: { $0.boolean(.sessionIsCurrent) == true })?.text(.sessionID) else {
      throw CannotTell("the list of sessions does not mark the current one")
    }
    return id
  }

  /// Waits until a moment has passed.
  ///
  /// - Throws: ``CannotTell`` if it is unknown, or farther away than the audit waits.
  func wait(until moment: UnixTime?, _ name: String) async throws {
    guard let moment else { throw CannotTell("the server does not say when \(name) ends") }
    // Clocks show whole seconds.
    let seconds = moment.secondsSince1970 - now.secondsSince1970 + 1
    guard Duration.seconds(seconds) <= options.patience else {
      throw CannotTell(
        "\(name) ends in \(seconds) seconds; --patience \(Self.patience(seconds)) waits for it", neededPatience: seconds
      )
    }
    if seconds > 0 { try await pause(.seconds(seconds), "\(name) ends") }
  }

  /// Waits for something to happen, and says so.
  func pause(_ duration: Duration, _ event: String) async throws {
    options.waits?(duration, event)
    try await Task.sleep(for: duration)
  }

  // 1,000,000  [the largest number that --patience takes with a unit]
  private static let largestPatience: Int64 = 1_000_000

  /// Returns a value of `--patience` for at least this many seconds.
  static func patience(_ seconds: Int64) -> String {
    seconds > largestPatience ? "\((seconds - 1) / 86_400 + 1)d" : "\(seconds)s"
  }

  /// Throws ``CannotTell`` unless the server has HTTPS.
  func requireTLS() throws {
    guard server.text.hasPrefix("https:") else { throw CannotTell("the server has no HTTPS") }
  }
}

extension ServerSession {
  /// Returns the session with more cookies.
  func adding(_ cookies: CookieJar) -> ServerSession {
    var session = self
    session.cookies = session.cookies.adding(cookies)
    return session
  }
}

extension ServerRequest {
  /// Adds the cookies of a session.
  mutating func add(cookiesOf session: OpenSession) {
    cookies = (cookies ?? CookieJar()).adding(session.session.cookies)
  }
}

extension CookieJar {
  /// Returns the value of the cookie with a name, with a prefix or none; nil without one.
  func value(of name: String) -> String? {
    lines.compactMap { (line) -> String? in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard let value = fields.last, fields.count > 1, !value.isEmpty else { return nil }
      return SetCookie.isName(String(fields[fields.count - 2]), of: name) ? String(value) : nil
    }.first
  }

  /// Returns the jar without the cookies with these names, with a prefix or none.
  func without(_ names: [String]) -> CookieJar {
    CookieJar(
      lines: lines.filter { (line) in
        guard let own = Self.name(line) else { return true }
        return !names.contains { SetCookie.isName(own, of: $0) }
      }) ?? self
  }

  /// Returns the cookies of both; those of `other` replace cookies with the same name.
  func adding(_ other: CookieJar) -> CookieJar {
    let names = Set(other.lines.compactMap(Self.name))
    return CookieJar(lines: lines.filter { !names.contains(Self.name($0) ?? "") } + other.lines) ?? self
  }

  private static func name(_ line: String) -> String? {
    line.split(separator: "\t", omittingEmptySubsequences: false).dropLast().last.map { String($0) }
  }
}
