// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeySystem
internal import WebAuthnClient
internal import WebAuthnTypes

/// The server that commands talk to, with the session and the device. All lines of a `passkey session` share them.
///
/// It only passes requests on and words their errors: ``SessionKeeper`` keeps the session, ``DeviceOpener`` opens the
/// device, and ``Confirmer`` confirms requests.
struct LiveServer: Sendable {
  let options: ServerOptions
  let http: HTTPSession
  let sessions: SessionKeeper
  let opener: DeviceOpener
  /// The authenticator of ``handshake``.
  let device: LazyAuthenticator
  /// Runs requests and ceremonies. A ceremony opens the device; ``DeviceOpener/prepare(creatingVault:)`` does so earlier.
  let handshake: Handshake
  /// Whether several commands share this server, as in `passkey session`.
  let servesManyLines: Bool

  private let knownPIN: SecretBytes?

  init(
    _ options: ServerOptions, device: DeviceChoice, knownPIN: SecretBytes?, servesManyLines: Bool = false
  ) {
    let opener = DeviceOpener(device, for: CeremonyDescription(origin: options.origin, userName: options.user))
    let http = HTTPSession(server: options.server, settings: options.http)
    let folder = StateFolder.path(of: Program.passkey.name)
    let marks: (any ClientMarkStore)? =
      options.keepsSessions ? folder.map { (folder) in ClientMarkFiles(path: folder + "/clients") } : nil
    let authenticator = LazyAuthenticator(opener)
    let handshake = Handshake(
      profile: options.profile, http: http, client: Self.client(options, authenticator, knownPIN),
      marks: marks ?? MemoryClientMarks())
    let sessions = SessionKeeper(
      handshake, store: options.keepsSessions ? SessionStore(path: folder) : nil, user: options.user,
      now: { Clock.now }, report: { (notice) in Diagnostics.passkey.note(notice.text) })
    self.init(options, http, sessions, opener, authenticator, handshake, knownPIN, servesManyLines)
  }

  private init(
    _ options: ServerOptions, _ http: HTTPSession, _ sessions: SessionKeeper, _ opener: DeviceOpener,
    _ device: LazyAuthenticator, _ handshake: Handshake, _ knownPIN: SecretBytes?, _ servesManyLines: Bool
  ) {
    self.options = options
    self.http = http
    self.sessions = sessions
    self.opener = opener
    self.device = device
    self.handshake = handshake
    self.knownPIN = knownPIN
    self.servesManyLines = servesManyLines
  }

  private static func client(
    _ options: ServerOptions, _ device: LazyAuthenticator, _ knownPIN: SecretBytes?
  ) -> Client {
    var policy = ClientPolicy()
    policy.onlyRelyingParty = options.relyingPartyID
    return Client(
      origin: options.origin, authenticator: device,
      interaction: TerminalClientInteraction(knownPIN: knownPIN, userName: options.user) { device.found },
      relatedOrigins: HTTPRelatedOrigins(settings: options.http), policy: policy)
  }

  /// The same server, session and vault, for ceremonies to which the user has consented already: the vault's device does
  /// not ask again.
  var withConsent: LiveServer {
    let device = LazyAuthenticator(opener, isConsentGiven: true)
    let handshake = Handshake(
      profile: handshake.profile, http: http, client: Self.client(options, device, knownPIN), marks: handshake.marks)
    return LiveServer(options, http, sessions, opener, device, handshake, knownPIN, servesManyLines)
  }

  /// Another device beside the one of the session.
  struct OtherDevice: Sendable {
    let opener: DeviceOpener
    let authenticator: LazyAuthenticator
    let client: Client
  }

  /// Returns another device for the same site.
  func device(_ choice: DeviceChoice) -> OtherDevice {
    let opener = DeviceOpener(choice, for: CeremonyDescription(origin: options.origin, userName: options.user))
    let authenticator = LazyAuthenticator(opener)
    return OtherDevice(
      opener: opener, authenticator: authenticator, client: Self.client(options, authenticator, knownPIN))
  }

  // MARK: The session

  /// Returns the current session. With `--no-store`, signs in first if necessary.
  func session() async throws(CommandFailure) -> ServerSession {
    if sessions.current == nil, !options.keepsSessions, !sessions.hasEnded { return try await signIn() }
    return try await withSessions { (sessions) async throws(SessionError) in try await sessions.session() }
  }

  /// Signs in and replaces the current session.
  func signIn(
    as user: String? = nil, mediation: SignInRequestMediation? = nil
  ) async throws(CommandFailure) -> ServerSession {
    do throws(SessionError) {
      // Fail before the user is asked and the server opens a session.
      try sessions.requireStore()
    } catch {
      throw failure(error)
    }
    try opener.open()
    do throws(SessionError) {
      let session = try await sessions.perform { () async throws(ClientError) in
        do throws(ClientError) {
          return try await handshake.finish(
            handshake.beginSignIn(user: user ?? options.user, mediation: mediation))
        } catch {
          // A code was sent, because the address of the account is not verified.
          let begun = error.problem.flatMap { handshake.verification(begunBy: $0, user: user ?? options.user) }
          if let begun { keep(begun) }
          throw error
        }
      }
      try await sessions.begin(session)
      // With the time of the sign-in.
      return sessions.current ?? session
    } catch {
      throw failure(error, in: .signIn)
    }
  }

  /// Verifies the user of the current session again, without opening another session.
  func reverify() async throws(CommandFailure) -> SignedInAccount {
    guard options.profile.canReverify else {
      throw .usage(
        "the profile \(options.profile.name.escapedForTerminal) has no \(EndpointName.reverifyOptions.rawValue)",
        hint: "sign in again with passkey sign-in")
    }
    guard let known = try await reverifyIfServed() else {
      throw .refusedByServer(
        "the server has no \(EndpointName.reverifyOptions.rawValue), although its profile lists one",
        hint: "sign in again with passkey sign-in")
    }
    return known
  }

  /// Verifies the user of the current session again. Returns nil if the server does not serve that.
  func reverifyIfServed() async throws(CommandFailure) -> SignedInAccount? {
    // Fail before the device is opened, if there is no session.
    _ = try await session()
    try opener.open()
    return try await once { (handshake, session) async throws(ClientError) in
      do throws(ClientError) {
        return try await handshake.reverify(in: &session)
      } catch {
        guard error.problem?.isOfMissingEndpoint == true else { throw error }
        return nil
      }
    }
  }

  /// Runs an operation of the session keeper, and describes its error to the user.
  func withSessions<Value>(
    _ operation: (SessionKeeper) async throws(SessionError) -> Value
  ) async throws(CommandFailure) -> Value {
    try await mapError(async: await operation(sessions)) { (error: SessionError) in failure(error) }
  }

  // MARK: Requests

  /// Runs an operation in the current session. If the server asks for a passkey again first, verifies the user and runs the
  /// operation once more.
  func inSession<Value: Sendable>(
    writes: Bool = false, _ body: (Handshake, inout ServerSession) async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(CommandFailure) {
      return try await once(writes: writes, body)
    } catch {
      guard error.code == Problem.verificationRequired, options.profile.canReverify else { throw error }
      try await reverifyOnDemand()
      return try await once(writes: writes, body)
    }
  }

  /// Verifies the user, because the server asks for it.
  func reverifyOnDemand() async throws(CommandFailure) {
    Diagnostics.passkey.note("the session was unused for long: the server asks for a passkey again")
    _ = try await reverify()
  }

  private func once<Value: Sendable>(
    writes: Bool = false, _ body: (Handshake, inout ServerSession) async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    let session = try await session()
    return try await withSessions { (sessions) async throws(SessionError) in
      try await sessions.perform(in: session, writes: writes) { (session) async throws(ClientError) in
        try await body(handshake, &session)
      }
    }
  }

  /// Runs a registration or a sign-in.
  func perform<Value>(
    _ ceremony: CeremonyKind, _ body: () async throws(ClientError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(SessionError) {
      return try await sessions.perform(body)
    } catch {
      throw failure(error, in: ceremony)
    }
  }

  /// Returns the result of a read. Without a connection, prints the last result of the same read in this process, with
  /// its time, and still throws the error.
  func print(
    _ command: String, asJSON: Bool, _ read: () async throws(CommandFailure) -> [UInt8]
  ) async throws(CommandFailure) {
    // Cannot collide with a path, which begins with a slash.
    let name = asJSON ? command + " --json" : command
    let text: [UInt8]
    do throws(CommandFailure) {
      text = try await read()
      sessions.remember(text, of: name)
    } catch {
      guard error.exitCode == .network, let last = last(of: name) else { throw error }
      Diagnostics.passkey.note(last.banner)
      try Output.write(last.body)
      throw error
    }
    try Output.write(text)
  }

  /// Returns the last result of a read in this process, if there is no connection.
  func last(of path: String) -> (banner: String, body: [UInt8])? {
    sessions.last(of: path, secondsFromUTC: LocalTime.secondsFromUTC)
  }

  /// Describes an error of a session or, with hints at its cause, of a ceremony.
  private func failure(_ error: SessionError, in ceremony: CeremonyKind? = nil) -> CommandFailure {
    guard case .failed(let cause) = error else { return CommandFailure(error, options) }
    let failure = device.failure(cause)
    return ceremony.map { failure.hinting(at: cause.problem, of: $0, options) } ?? failure
  }
}
