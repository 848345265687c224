// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// The server that commands speak with, and whoever is signed in there. One for a command, or for a whole `passkey session`.
final class LiveServer: Sendable {
  let options: ServerOptions
  let http: HTTPSession
  /// What everything is done with. Whatever takes a passkey begins with ``openDevice()``.
  let handshake: Handshake
  /// Whether what a ceremony is for was confirmed before it.
  let confirmation = ConfirmedInteraction.Answer()
  /// Where the passkeys are.
  let device: LateAuthenticator
  private let state = Locked(State())

  /// Whether more than one command is done with it, as in `passkey session`.
  let servesManyLines: Bool

  private struct State {
    var session: ServerSession?
    /// Whether the session was opened for this process alone.
    var isOwn = false
    /// Whether there was a session in this process that is over: then nobody is signed in who did not ask for it.
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

  /// Opens the vault, or connects the device, where that was not done yet.
  func openDevice(makesVault: Bool = false) throws(CommandFailure) {
    try device.open(makesVault: makesVault)
  }

  /// Makes nothing of a device that Ctrl-C has ended.
  func closeDeviceAfterInterruption() {
    device.closeAfterInterruption()
  }

  /// Whether something was begun whose end has to be told: a request that writes, or a question of what is to be confirmed.
  /// Reads alone are called off without a word.
  var mayHaveChanged: Bool { state.withLock { (state) in state.mayHaveChanged } }

  private func noteChange() {
    state.withLock { (state) in state.mayHaveChanged = true }
  }

  // MARK: The session

  /// Whoever is signed in; with `--no-store` somebody is signed in first.
  func session() async throws(CommandFailure) -> ServerSession {
    if currentSession == nil, !options.keepsSessions {
      if state.withLock({ (state) in state.hasEnded }) { throw nobodySignedIn }
      return try await signIn()
    }
    return try await renewed(knownSession())
  }

  /// Whoever is signed in, as far as is known here: nobody is asked.
  private func knownSession() throws(CommandFailure) -> ServerSession {
    if let currentSession { return currentSession }
    let store = try SessionStore()
    let kept = try store.sessions(at: options.server, options.profile.name) { (failure) in
      Diagnostics.passkey.note("\(failure.message): it is passed over")
    }.filter { (session) in
      options.user == nil || session.user?.lowercased() == options.user?.lowercased()
    }
    // One that is over stands in nobody's way.
    let live = kept.filter { (session) in session.isRenewable || session.secondsLeft(at: Clock.now) != 0 }
    let found = live.isEmpty ? kept : live
    guard let session = found.first else { throw nobodySignedIn }
    guard found.count == 1 else {
      let users = found.compactMap(\.user).sorted().map(\.escapedForTerminal).joined(separator: ", ")
      throw .usage("\(found.count) users are signed in at \(options.server.text)", hint: "choose with --user: \(users)")
    }
    state.withLock { (state) in state.session = session }
    return session
  }

  private var nobodySignedIn: CommandFailure {
    let who = options.user.map { "\($0.escapedForTerminal) is not" } ?? "nobody is"
    return .refusedByServer("\(who) signed in at \(options.server.text)", hint: CommandFailure.signInHint)
  }

  /// The session that is known of without asking anybody.
  var currentSession: ServerSession? { state.withLock { (state) in state.session } }

  /// Signs in anew, in the place of whoever was signed in.
  func signIn(as user: String? = nil) async throws(CommandFailure) -> ServerSession {
    try requireStore()
    try openDevice()
    let session = try await told(of: .signIn) { () async throws(ClientError) in
      try await handshake.signIn(user: user ?? options.user)
    }
    try await begin(session)
    return session
  }

  /// Fails where a session could not be kept, before one is opened.
  func requireStore() throws(CommandFailure) {
    if options.keepsSessions { try SessionStore().requireFolder() }
  }

  /// Keeps a session that was opened, and ends the one in whose place it is: nobody has that one any more.
  func begin(_ session: ServerSession) async throws(CommandFailure) {
    let own = state.withLock { (state) in
      // What one user read is not shown to another.
      if let before = state.session, before.user != session.user { state.posture.forget() }
      defer {
        // One that cannot be kept is of use to nobody behind this process.
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
        throw error.hinting("the session was opened and cannot be kept: it ends with this command")
      }
      state.withLock { (state) in state.isOwn = false }
    }
    for former in replaced.compactMap(\.self) where !former.isShown(as: session) {
      if let note = await leave(former) { Diagnostics.passkey.note(note) }
    }
  }

  /// Ends a session that another is in the place of. What is still to be known of it, where it may be open.
  private func leave(_ former: ServerSession) async -> String? {
    guard former.isRenewable || former.secondsLeft(at: Clock.now) != 0 else { return nil }
    do throws(ClientError) {
      try await end(former)
      return nil
    } catch {
      // Where the server ends none, there is nothing to tell.
      if error.code == .endpointMissing { return nil }
      let cause = (error.problem?.code ?? error.code.rawValue).escapedForTerminal
      return "the session before this one could not be ended (\(cause)), and \(former.ownEnd)"
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

  /// Forgets whoever is signed in.
  func forgetSession() throws(CommandFailure) {
    if let currentSession { try forget(currentSession) }
  }

  /// Forgets whoever is signed in, whatever the server says to it, and ends the session there. Gives whose it was.
  func signOut() async throws(CommandFailure) -> ServerSession {
    var session = try knownSession()
    forgetHere()
    // A token that cannot be deleted here is to be dead at the server all the more.
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
      let here = undeleted.map(\.message) ?? "the token is deleted here"
      throw CommandFailure(error).hinting("\(here); at the server the session \(session.ownEnd)")
    }
    if let undeleted { throw undeleted }
    return session
  }

  /// Ends a session at the server.
  private func end(_ session: ServerSession) async throws(ClientError) {
    noteChange()
    do throws(ClientError) {
      // One that is over opens nothing, but could be renewed by whoever has what renews it.
      var session = session
      if session.isRenewable, session.secondsLeft(at: Clock.now) == 0 { try await handshake.refresh(&session) }
      try await handshake.signOut(of: session)
    } catch {
      // Whoever has no session there is signed out.
      if error.problem?.status != 401 { throw error }
    }
  }

  /// Ends a session that was opened for this process alone, and lets the network go.
  func close() async {
    let session = state.withLock { (state) in state.isOwn ? state.session : nil }
    if let session { try? await end(session) }
    await http.close()
  }

  /// A session that ends soon is renewed where the server gave something to do it with. One process does it at a time:
  /// what renews is good for one of them.
  private func renewed(_ session: ServerSession) async throws(CommandFailure) -> ServerSession {
    guard session.isRenewable, session.endsSoon(at: Clock.now, within: .seconds(30)) else { return session }
    guard options.keepsSessions else { return try await renew(session) }
    let store = try SessionStore().opened()
    defer { store.close() }
    guard let kept = store.current(session) else {
      // Another process has signed out meanwhile.
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
          "it is not known whether the session was renewed: where it was, passkey sign-in opens another")
      case .notSent?: throw CommandFailure(error).hinting("the session could not be renewed, and nothing else was sent")
      case nil: throw CommandFailure(error)
      }
    }
    state.withLock { (state) in (state.session, state.isOwn) = (renewed, true) }
    guard let store else { return renewed }
    try store.write(renewed)
    state.withLock { (state) in state.isOwn = false }
    return renewed
  }

  /// Does something with the session. What an answer changed of it is kept, whatever the answer was. When the server says
  /// that there is no such session, it is forgotten.
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

  /// Keeps what a session has become. What the command did is done: where this fails, it is only said.
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
      // Another process may have renewed it meanwhile, or signed out.
      if store.current(before) == before { try store.write(session) }
    } catch {
      Diagnostics.passkey.note("what the server changed of the session could not be kept: \(error.message)")
    }
  }

  /// What the client says of a registration or a sign-in, with the program's error.
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

  /// Shows an act, asks whether it is meant, and has it confirmed with a passkey; the act is not sent.
  func confirm(_ act: Act, _ arguments: ParsedArguments) async throws(CommandFailure) -> StepUpGrant {
    for endpoint in [ServerEndpoint.stepUpOptions, .stepUpVerify] where options.profile.routes[endpoint] == nil {
      throw .usage(
        "the profile \(options.profile.name.escapedForTerminal) has no \(endpoint.rawValue), and nothing can be confirmed",
        hint: "passkey help sign-in says where profiles are described")
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

  /// Whether the server was not reached the last time.
  var isOffline: Bool { state.withLock { (state) in state.posture.isOffline } }

  /// Remembers what a read gave.
  func remember(_ body: [UInt8], of path: String) {
    let now = Clock.now
    state.withLock { (state) in state.posture.succeeded(reading: path, body, at: now) }
  }

  /// What a read gave the last time in this process, while there is no connection.
  func last(of path: String) -> (banner: String, body: [UInt8])? {
    state.withLock { (state) in state.posture.last(of: path) }
  }
}
