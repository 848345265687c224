// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// The server that commands talk to, with its current session. It is shared by all lines of a `passkey session`.
final class LiveServer: Sendable {
  let options: ServerOptions
  let http: HTTPSession
  /// Runs requests and ceremonies. Callers that need a passkey must call ``openDevice()`` first.
  let handshake: Handshake
  /// Whether the user confirmed the act before its ceremony.
  let confirmation = ConfirmedInteraction.Answer()
  /// The authenticator with the passkeys.
  let device: LateAuthenticator
  private let state = Locked(State())

  /// Whether several commands share this server, as in `passkey session`.
  let servesManyLines: Bool

  private struct State {
    var session: ServerSession?
    /// Whether the session was opened for this process only.
    var isOwn = false
    /// Whether a session ended in this process. Afterwards only an explicit sign-in opens another.
    var hasEnded = false
    var posture = OfflinePosture()
    var mayHaveChanged = false
  }

  init(_ arguments: ParsedArguments, servesManyLines: Bool = false) throws(CommandFailure) {
    options = try ServerOptions(arguments)
    self.servesManyLines = servesManyLines
    http = HTTPSession(server: options.server, settings: options.http)
    let device = LateAuthenticator(arguments, confirmation: confirmation)
    self.device = device
    var policy = ClientPolicy()
    policy.onlyRelyingParty = options.relyingPartyID
    let client = Client(
      origin: options.origin, authenticator: device,
      interaction: try TerminalClientInteraction(arguments, userName: options.user) { device.opened?.found ?? [] },
      relatedOrigins: HTTPRelatedOrigins(settings: options.http), policy: policy)
    let files = options.keepsSessions ? ClientMarkFiles() : nil
    handshake = Handshake(profile: options.profile, http: http, client: client, marks: files ?? MemoryClientMarks())
  }

  /// Opens the vault or connects the device, unless that was done already.
  func openDevice(makesVault: Bool = false) throws(CommandFailure) {
    try device.open(makesVault: makesVault)
  }

  /// Discards a device that Ctrl-C has ended.
  func closeDeviceAfterInterruption() {
    device.closeAfterInterruption()
  }

  /// Whether a write or a confirmation has begun, so that its outcome must be reported. Reads alone are cancelled
  /// silently.
  var mayHaveChanged: Bool { state.withLock { (state) in state.mayHaveChanged } }

  private func noteChange() {
    state.withLock { (state) in state.mayHaveChanged = true }
  }

  // MARK: The session

  /// Returns the current session. With `--no-store`, signs in first if necessary.
  func session() async throws(CommandFailure) -> ServerSession {
    if currentSession == nil, !options.keepsSessions {
      if state.withLock({ (state) in state.hasEnded }) { throw noUserSignedIn }
      return try await signIn()
    }
    return try await renewed(knownSession())
  }

  /// Returns the current session from memory or the store, without asking the server.
  private func knownSession() throws(CommandFailure) -> ServerSession {
    if let currentSession { return currentSession }
    let store = try SessionStore()
    let kept = try store.sessions(at: options.server, options.profile.name) { (failure) in
      Diagnostics.passkey.note("\(failure.message): skipped")
    }.filter { (session) in
      options.user == nil || session.user?.lowercased() == options.user?.lowercased()
    }
    // Prefer sessions that have not expired, so that an expired one causes no ambiguity.
    let live = kept.filter { (session) in session.isRenewable || session.secondsLeft(at: Clock.now) != 0 }
    let found = live.isEmpty ? kept : live
    guard let session = found.first else { throw noUserSignedIn }
    guard found.count == 1 else {
      let users = found.compactMap(\.user).sorted().map(\.escapedForTerminal).joined(separator: ", ")
      throw .usage(
        "\(found.count) users are signed in at \(options.server.text)", hint: "choose one with --user: \(users)")
    }
    state.withLock { (state) in state.session = session }
    return session
  }

  private var noUserSignedIn: CommandFailure {
    let who = options.user.map { "\($0.escapedForTerminal) is not" } ?? "no user is"
    return .refusedByServer("\(who) signed in at \(options.server.text)", hint: CommandFailure.signInHint)
  }

  /// The session in memory, without reading the store.
  var currentSession: ServerSession? { state.withLock { (state) in state.session } }

  /// Signs in and replaces the current session.
  func signIn(as user: String? = nil) async throws(CommandFailure) -> ServerSession {
    try requireStore()
    try openDevice()
    let session = try await told(of: .signIn) { () async throws(ClientError) in
      try await handshake.signIn(user: user ?? options.user)
    }
    try await begin(session)
    return session
  }

  /// Throws if a session could not be stored, before one is opened.
  func requireStore() throws(CommandFailure) {
    if options.keepsSessions { try SessionStore().requireFolder() }
  }

  /// Stores a new session and ends the one that it replaces, whose token is no longer stored anywhere.
  func begin(_ session: ServerSession) async throws(CommandFailure) {
    let own = state.withLock { (state) in
      // Do not show one user's data to another.
      if let before = state.session, before.user != session.user { state.posture.forget() }
      defer {
        // If the session cannot be stored, it is used by this process only.
        state.session = session
        state.isOwn = true
        state.hasEnded = false
      }
      return state.isOwn ? state.session : nil
    }
    var replaced = [own]
    if options.keepsSessions {
      do throws(CommandFailure) {
        replaced.append(try SessionStore().keep(session))
      } catch {
        throw error.hinting("the session cannot be stored: it ends with this command")
      }
      state.withLock { (state) in state.isOwn = false }
    }
    for former in replaced.compactMap(\.self) where !former.isShown(as: session) {
      if let note = await leave(former) { Diagnostics.passkey.note(note) }
    }
  }

  /// Ends a replaced session at the server. Returns a note for the user if the session may still be open.
  private func leave(_ former: ServerSession) async -> String? {
    guard former.isRenewable || former.secondsLeft(at: Clock.now) != 0 else { return nil }
    do throws(ClientError) {
      try await end(former)
      return nil
    } catch {
      // This server has no sign-out endpoint, so there is nothing to report.
      if error.code == .endpointMissing { return nil }
      let cause = (error.problem?.code ?? error.code.rawValue).escapedForTerminal
      return "the previous session could not be ended (\(cause)), and \(former.ownEnd)"
    }
  }

  func forget(_ session: ServerSession) throws(CommandFailure) {
    forgetHere()
    if options.keepsSessions { try SessionStore().forget(session) }
  }

  private func forgetHere() {
    state.withLock { (state) in
      state.session = nil
      state.isOwn = false
      state.hasEnded = true
      state.posture.forget()
    }
  }

  /// Deletes the current session locally, without signing out at the server.
  func forgetSession() throws(CommandFailure) {
    if let currentSession { try forget(currentSession) }
  }

  /// Deletes the current session locally, even if the server fails, and ends it at the server. Returns that session.
  func signOut() async throws(CommandFailure) -> ServerSession {
    var session = try knownSession()
    forgetHere()
    // If the token cannot be deleted here, revoking it at the server is even more important.
    var undeleted: CommandFailure?
    do throws(CommandFailure) {
      if options.keepsSessions { session = try SessionStore().take(session) }
    } catch {
      undeleted = error
    }
    do throws(ClientError) {
      try await end(session)
      answered()
    } catch {
      failed(with: error)
      let here = undeleted.map(\.message) ?? "deleted the local token"
      throw CommandFailure(error).hinting("\(here); at the server the session \(session.ownEnd)")
    }
    if let undeleted { throw undeleted }
    return session
  }

  /// Ends a session at the server.
  private func end(_ session: ServerSession) async throws(ClientError) {
    noteChange()
    do throws(ClientError) {
      // The access token has expired, but the refresh token could still renew the session. Renew it to be able to end
      // it.
      var session = session
      if session.isRenewable, session.secondsLeft(at: Clock.now) == 0 { try await handshake.refresh(&session) }
      try await handshake.signOut(of: session)
    } catch {
      // On 401 the session no longer exists at the server.
      if error.problem?.status != 401 { throw error }
    }
  }

  /// Ends a session that was opened for this process only, and closes the network connections.
  func close() async {
    let session = state.withLock { (state) in state.isOwn ? state.session : nil }
    if let session { try? await end(session) }
    await http.close()
  }

  /// Renews a session that expires soon, if it has a refresh token. Processes take turns, because a refresh token can
  /// be used only once.
  private func renewed(_ session: ServerSession) async throws(CommandFailure) -> ServerSession {
    guard session.isRenewable, session.endsSoon(at: Clock.now, within: .seconds(30)) else { return session }
    guard options.keepsSessions else { return try await renew(session) }
    let store = try SessionStore().opened()
    defer { store.close() }
    guard let kept = store.current(session) else {
      // Another process has signed out in the meantime.
      forgetHere()
      throw .refusedByServer(
        "\(session.description.escapedForTerminal) was signed out", hint: CommandFailure.signInHint)
    }
    guard kept == session else {
      state.withLock { (state) in state.session = kept }
      return kept
    }
    return try await renew(session, in: store)
  }

  private func renew(
    _ session: ServerSession, in store: OpenSessionStore? = nil
  ) async throws(CommandFailure) -> ServerSession {
    noteChange()
    var renewed = session
    do throws(ClientError) {
      try await handshake.refresh(&renewed)
      answered()
    } catch {
      failed(with: error)
      if error.problem?.isForNobody == true {
        forgetHere()
        try store?.forget(session)
      }
      switch error.outcome {
      case .unknown?:
        throw CommandFailure(error).hinting(
          "the session may have been renewed at the server: sign in again with passkey sign-in")
      case .notSent?:
        throw CommandFailure(error).hinting("the session could not be renewed, and no other request was sent")
      case nil: throw CommandFailure(error)
      }
    }
    state.withLock { (state) in (state.session, state.isOwn) = (renewed, true) }
    guard let store else { return renewed }
    try store.write(renewed)
    state.withLock { (state) in state.isOwn = false }
    return renewed
  }

  /// Runs an operation in the session. Stores changes to the session even if the operation fails. Deletes the session
  /// if the server no longer accepts it.
  func inSession<Value: Sendable>(
    writes: Bool = false, _ body: (Handshake, inout ServerSession) async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    let before = try await session()
    var session = before
    do throws(ClientError) {
      if writes {
        noteChange()
        try state.withLock { (state) throws(ClientError) in try state.posture.requireWriting() }
      }
      let value = try await body(handshake, &session)
      answered()
      keep(session, inPlaceOf: before)
      return value
    } catch {
      failed(with: error)
      if error.problem?.isForNobody == true { try forget(before) } else { keep(session, inPlaceOf: before) }
      throw device.failure(error)
    }
  }

  /// Stores a changed session. The command has already succeeded, so a failure here is only reported.
  private func keep(_ session: ServerSession, inPlaceOf before: ServerSession) {
    guard session != before else { return }
    let isOwn = state.withLock { (state) in
      if state.session == before { state.session = session }
      return state.isOwn
    }
    guard options.keepsSessions, !isOwn else { return }
    do throws(CommandFailure) {
      let store = try SessionStore().opened()
      defer { store.close() }
      // Another process may have renewed the session or signed out in the meantime.
      if store.current(before) == before { try store.write(session) }
    } catch {
      Diagnostics.passkey.note("cannot store the changed session: \(error.message)")
    }
  }

  /// Runs a registration or a sign-in and converts its errors for the command line.
  func told<Value>(
    of ceremony: CeremonyKind, _ body: () async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    noteChange()
    do throws(ClientError) {
      let value = try await body()
      answered()
      return value
    } catch {
      failed(with: error)
      throw device.failure(error).hinting(at: error.problem, of: ceremony, options)
    }
  }

  // MARK: Confirming

  /// Shows an act, asks the user, and confirms it with a passkey. Does not send the act.
  func confirm(_ act: Act, _ arguments: ParsedArguments) async throws(CommandFailure) -> StepUpGrant {
    for endpoint in [ServerEndpoint.stepUpOptions, .stepUpVerify] where options.profile.routes[endpoint] == nil {
      throw .usage(
        """
        the profile \(options.profile.name.escapedForTerminal) has no \(endpoint.rawValue), so nothing can be \
        confirmed
        """,
        hint: "passkey help sign-in explains where profiles are documented")
    }
    noteChange()
    try Confirmation(arguments).ask(about: act, at: self)
    confirmation.set(true)
    defer { confirmation.set(false) }
    try openDevice()
    return try await inSession { (handshake, session) async throws(ClientError) in
      try await handshake.stepUp(method: act.method, path: act.path, body: act.body, in: &session)
    }
  }

  // MARK: The connection, for as long as the process lives

  private func answered() {
    state.withLock { (state) in state.posture.answered() }
  }

  private func failed(with error: ClientError) {
    state.withLock { (state) in state.posture.failed(with: error) }
  }

  /// Whether the last request could not reach the server.
  var isOffline: Bool { state.withLock { (state) in state.posture.isOffline } }

  /// Stores the result of a read in memory.
  func remember(_ body: [UInt8], of path: String) {
    let now = Clock.now
    state.withLock { (state) in state.posture.succeeded(reading: path, body, at: now) }
  }

  /// Returns the last result of a read in this process, if there is no connection.
  func last(of path: String) -> (banner: String, body: [UInt8])? {
    state.withLock { (state) in state.posture.last(of: path) }
  }
}
