// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
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
  private let device: LateAuthenticator
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
  }

  init(_ arguments: ParsedArguments, servesManyLines: Bool = false) throws(CommandFailure) {
    options = try ServerOptions(arguments)
    self.servesManyLines = servesManyLines
    http = HTTPSession(server: options.server, settings: options.http)
    device = LateAuthenticator(arguments, confirmation: confirmation)
    var policy = ClientPolicy()
    policy.onlyRelyingParty = options.relyingPartyID
    let client = Client(
      origin: options.origin, authenticator: device,
      interaction: try TerminalClientInteraction(arguments, userName: options.user),
      relatedOrigins: HTTPRelatedOrigins(settings: options.http), policy: policy)
    handshake = Handshake(profile: options.profile, http: http, client: client)
  }

  /// Opens the vault, or connects the device, where that was not done yet.
  func openDevice(makesVault: Bool = false) throws(CommandFailure) {
    try device.open(makesVault: makesVault)
  }

  /// Makes nothing of a device that Ctrl-C has ended.
  func closeDeviceAfterInterruption() {
    device.closeAfterInterruption()
  }

  // MARK: The session

  /// Whoever is signed in; with `--no-store` somebody is signed in first.
  func session() async throws(CommandFailure) -> ServerSession {
    if let session = state.withLock({ (state) in state.session }) { return try await renewed(session) }
    guard options.keepsSessions else {
      if state.withLock({ (state) in state.hasEnded }) { throw nobodySignedIn }
      return try await signIn()
    }
    let kept = try SessionStore().sessions(at: options.server, options.profile.name).filter { (session) in
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
    return try await renewed(session)
  }

  private var nobodySignedIn: CommandFailure {
    let who = options.user.map { "\($0.escapedForTerminal) is not" } ?? "nobody is"
    return .refusedByServer("\(who) signed in at \(options.server.text)", hint: CommandFailure.signInHint)
  }

  /// The session that is known of without asking anybody.
  var currentSession: ServerSession? { state.withLock { (state) in state.session } }

  /// Signs in anew, in the place of whoever was signed in.
  func signIn(as user: String? = nil) async throws(CommandFailure) -> ServerSession {
    try openDevice()
    let session = try await told { () async throws(ClientError) in
      try await handshake.signIn(user: user ?? options.user)
    }
    try keep(session)
    return session
  }

  func keep(_ session: ServerSession) throws(CommandFailure) {
    // One that cannot be kept is of use to nobody behind this process.
    state.withLock { (state) in
      // What one user read is not shown to another.
      if let before = state.session, before.user != session.user { state.posture.forget() }
      state.session = session
      state.isOwn = true
      state.hasEnded = false
    }
    guard options.keepsSessions else { return }
    try SessionStore().keep(session)
    state.withLock { (state) in state.isOwn = false }
  }

  func forget(_ session: ServerSession) throws(CommandFailure) {
    state.withLock { (state) in
      state.session = nil
      state.isOwn = false
      state.hasEnded = true
      state.posture.forget()
    }
    if options.keepsSessions { try SessionStore().forget(session) }
  }

  /// Forgets whoever is signed in.
  func forgetSession() throws(CommandFailure) {
    if let currentSession { try forget(currentSession) }
  }

  /// Ends a session that was opened for this process alone.
  func close() async {
    let session = state.withLock { (state) in state.isOwn ? state.session : nil }
    if let session { try? await handshake.signOut(of: session) }
  }

  /// A session that ends soon is renewed where the server gave something to do it with. One process does it at a time:
  /// what renews is good for one of them.
  private func renewed(_ session: ServerSession) async throws(CommandFailure) -> ServerSession {
    guard session.isRenewable, session.endsSoon(at: Clock.now, within: .seconds(30)) else { return session }
    guard options.keepsSessions else { return try await renew(session) }
    let store = try SessionStore()
    return try await store.locked { () async throws(CommandFailure) in
      let kept = try store.sessions(at: session.server, session.profile).first { $0.user == session.user }
      guard let kept, kept != session else { return try await renew(session) }
      state.withLock { (state) in state.session = kept }
      return kept
    }
  }

  private func renew(_ session: ServerSession) async throws(CommandFailure) -> ServerSession {
    let renewed: ServerSession
    do throws(ClientError) {
      renewed = try await handshake.refresh(session)
      answered()
    } catch {
      failed(with: error)
      if error.problem?.isForNobody == true { try forget(session) }
      throw CommandFailure(error)
    }
    try keep(renewed)
    return renewed
  }

  /// Does something with the session. When the server says that there is no such session, it is forgotten.
  func inSession<Value: Sendable>(
    writes: Bool = false, _ body: (Handshake, ServerSession) async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    let session = try await session()
    do throws(ClientError) {
      if writes { try state.withLock { (state) throws(ClientError) in try state.posture.requireWriting() } }
      let value = try await body(handshake, session)
      answered()
      return value
    } catch {
      failed(with: error)
      if error.problem?.isForNobody == true { try forget(session) }
      throw device.failure(error)
    }
  }

  /// What the client says, with the program's error.
  func told<Value>(_ body: () async throws(ClientError) -> Value) async throws(CommandFailure) -> Value {
    do throws(ClientError) {
      let value = try await body()
      answered()
      return value
    } catch {
      failed(with: error)
      throw device.failure(error)
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
    try Confirmation(arguments).ask(about: act, at: self)
    confirmation.set(true)
    defer { confirmation.set(false) }
    try openDevice()
    return try await inSession { (handshake, session) async throws(ClientError) in
      try await handshake.stepUp(method: act.method, path: act.path, body: act.body, in: session)
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
