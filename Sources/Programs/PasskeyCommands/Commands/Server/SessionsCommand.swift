// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient

/// `passkey sessions`
enum SessionsCommand: ServerCommand {
  private static let revokeOne = Option("--revoke", "ID", help: "end the session whose id begins with this text")
  private static let revokeOthers = Option("--revoke-others", help: "end all other sessions")
  private static let revokeAll = Option("--revoke-all", help: "end all sessions, the current one last")

  static let specification = CommandSpecification(
    name: "sessions",
    summary: "list or end your sessions at a server",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Without an option to end sessions, lists all open ones and marks the current one with *. A session that was \
      ended is refused from then on.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: [revokeOne, revokeOthers, revokeAll] + ServerOptions.options + DeviceChoice.optionsForSignIn
      + TerminalClientInteraction.options
      + [.jsonLines, .help],
    rareOptions: ServerOptions.rareOptions,
    examples: [
      .init(command: "passkey sessions --server https://raxx.app", meaning: "list your sessions"),
      .init(command: "passkey sessions --server https://raxx.app --revoke-all", meaning: "sign out everywhere"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let acts: [any OptionSpecification] = [revokeOne, revokeOthers, revokeAll].filter { arguments.has($0) }
    guard acts.count < 2 else {
      throw .usage("\(acts[0].name) and \(acts[1].name) cannot be combined", hint: "choose one")
    }
    // An empty text is the beginning of every ID.
    guard arguments[revokeOne] != "" else {
      throw .usage("--revoke is empty", hint: "give the beginning of a session's id, as passkey sessions lists it")
    }
    let asJSON = arguments.asksForJSON
    guard !acts.isEmpty else {
      return try await server.print("sessions", asJSON: asJSON) { () async throws(CommandFailure) in
        let sessions = try await Self.sessions(at: server)
        return asJSON ? sessions.flatMap(json) : table(of: sessions)
      }
    }
    let sessions = try await Self.sessions(at: server)
    let count =
      if let beginning = arguments[revokeOne] {
        try await revoke(try one(of: sessions, beginning), at: server)
      } else {
        try await revokeOthers(sessions, andThisOne: arguments[revokeAll], at: server)
      }
    var report = Report(asJSON: asJSON)
    report.add("ended", count: count)
    try report.write()
  }

  private static func sessions(at server: LiveServer) async throws(CommandFailure) -> [SessionEntry] {
    try await server.inSession { (handshake, session) async throws(ClientError) in
      try await handshake.sessions(in: &session)
    }
  }

  private static func one(of sessions: [SessionEntry], _ beginning: String) throws(CommandFailure) -> SessionEntry {
    let found = sessions.filter { $0.id.hasPrefix(beginning) }
    guard let session = found.first, found.count == 1 else {
      throw .refused(
        found.isEmpty
          ? "no session's id begins with \(beginning.quotedForTerminal)"
          : "\(found.count) session ids begin with \(beginning.quotedForTerminal)",
        hint: "list them with passkey sessions")
    }
    return session
  }

  private static func revoke(
    _ entry: SessionEntry, at server: LiveServer
  ) async throws(CommandFailure) -> Int {
    let own = try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.revokeSession(entry.id, in: &session)
      return session
    }
    guard entry.isCurrent else { return 1 }
    try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.forget(own) }
    return 1
  }

  private static func revokeOthers(
    _ sessions: [SessionEntry], andThisOne: Bool, at server: LiveServer
  ) async throws(CommandFailure) -> Int {
    try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.revokeOtherSessions(in: &session)
    }
    let others = sessions.count(where: { !$0.isCurrent })
    guard andThisOne else { return others }
    do throws(CommandFailure) {
      _ = try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.signOut() }
    } catch {
      Diagnostics.passkey.note("ended the other sessions: \(others)")
      throw error
    }
    return others + 1
  }

  private static func table(of sessions: [SessionEntry]) -> [UInt8] {
    let heads = ["", "ID", "SINCE", "LAST SEEN", "UNTIL"]
    let rows = sessions.map { (session) in
      [
        session.isCurrent ? "*" : "", String(session.id.prefix(10)).escapedForTerminal, text(session.created),
        text(session.lastSeen), text(session.expiry),
      ]
    }
    return [UInt8](TextTable(rows: [heads] + rows, width: TerminalWidth.columns(of: .standardOutput)).text.utf8)
  }

  private static func json(_ session: SessionEntry) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("id", .string(session.id))
      object.write("createdAt", .time(session.created))
      object.write("lastSeenAt", .time(session.lastSeen))
      object.write("expiresAt", .time(session.expiry))
      object.write("current", .bool(session.isCurrent))
    } + [UInt8(ascii: "\n")]
  }

  private static func text(_ time: UnixTime?) -> String { time?.description ?? "-" }
}
