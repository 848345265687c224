// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemIO
internal import WebAuthnClient
internal import WireFormats

/// `passkey sessions`
enum SessionsCommand: ServerCommand {
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
    options: [
      OptionSpecification(
        name: "--revoke", value: .init(name: "ID"), help: "end the session whose id begins with this text"),
      OptionSpecification(name: "--revoke-others", help: "end all other sessions"),
      OptionSpecification(name: "--revoke-all", help: "end all sessions, the current one last"),
    ] + ServerOptions.options + DeviceChoice.optionsForSignIn + TerminalClientInteraction.options + [.help],
    examples: [
      .init(command: "passkey sessions --server https://raxx.app", meaning: "list your sessions"),
      .init(command: "passkey sessions --server https://raxx.app --revoke-all", meaning: "sign out everywhere"),
    ])

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    let acts = ["--revoke", "--revoke-others", "--revoke-all"].filter { arguments.has($0) }
    guard acts.count < 2 else {
      throw .usage("\(acts[0]) and \(acts[1]) cannot be combined", hint: "choose one")
    }
    guard let act = acts.first else {
      return try await server.print("sessions", asJSON: arguments.has("--json")) { () async throws(CommandFailure) in
        list(try await Self.sessions(at: server), arguments)
      }
    }
    let sessions = try await Self.sessions(at: server)
    if let beginning = arguments["--revoke"] {
      try await revoke(try one(of: sessions, beginning), at: server, arguments)
    } else {
      try await revokeOthers(sessions, andThisOne: act == "--revoke-all", at: server, arguments)
    }
  }

  private static func sessions(at server: LiveServer) async throws(CommandFailure) -> [SessionEntry] {
    try await server.inSession { (handshake, session) async throws(ClientError) in
      try await handshake.sessions(in: &session)
    }
  }

  private static func one(of sessions: [SessionEntry], _ beginning: String) throws(CommandFailure) -> SessionEntry {
    // An empty prefix would match every ID.
    let found = beginning.isEmpty ? [] : sessions.filter { $0.id.hasPrefix(beginning) }
    guard let session = found.first, found.count == 1 else {
      throw .usage(
        found.isEmpty
          ? "no session's id begins with \(beginning.quotedForTerminal)"
          : "\(found.count) session ids begin with \(beginning.quotedForTerminal)",
        hint: "list them with passkey sessions")
    }
    return session
  }

  private static func revoke(
    _ entry: SessionEntry, at server: LiveServer, _ arguments: ParsedArguments
  ) async throws(CommandFailure) {
    let own = try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.revokeSession(entry.id, in: &session)
      return session
    }
    if entry.isCurrent { try server.forget(own) }
    try tell(1, arguments)
  }

  private static func revokeOthers(
    _ sessions: [SessionEntry], andThisOne: Bool, at server: LiveServer, _ arguments: ParsedArguments
  ) async throws(CommandFailure) {
    try await server.inSession(writes: true) { (handshake, session) async throws(ClientError) in
      try await handshake.revokeOtherSessions(in: &session)
    }
    let others = sessions.count(where: { !$0.isCurrent })
    guard andThisOne else { return try tell(others, arguments) }
    do throws(CommandFailure) {
      _ = try await server.signOut()
    } catch {
      Diagnostics.passkey.note("ended the other sessions: \(others)")
      throw error
    }
    try tell(others + 1, arguments)
  }

  private static func tell(_ count: Int, _ arguments: ParsedArguments) throws(CommandFailure) {
    var report = Report(asJSON: arguments.has("--json"))
    report.add("ended", count: count)
    try report.write()
  }

  private static func list(_ sessions: [SessionEntry], _ arguments: ParsedArguments) -> [UInt8] {
    guard arguments.has("--json") else {
      let heads = ["", "ID", "SINCE", "LAST SEEN", "UNTIL"]
      let rows = sessions.map { (session) in
        [
          session.isCurrent ? "*" : "", String(session.id.prefix(10)).escapedForTerminal, text(session.created),
          text(session.lastSeen), text(session.expiry),
        ]
      }
      return [UInt8](TextTable(rows: [heads] + rows, width: TerminalWidth.columns(of: .standardOutput)).text.utf8)
    }
    let object = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.writeArray("sessions") { (list: inout JSONArrayWriter) in
        for session in sessions {
          list.writeObject { (entry: inout JSONObjectWriter) in
            entry.write("id", .string(session.id))
            entry.write("createdAt", json(session.created))
            entry.write("lastSeenAt", json(session.lastSeen))
            entry.write("expiresAt", json(session.expiry))
            entry.write("current", .bool(session.isCurrent))
          }
        }
      }
    }
    return object + [UInt8(ascii: "\n")]
  }

  private static func text(_ time: Timestamp?) -> String { time?.description ?? "-" }

  private static func json(_ time: Timestamp?) -> JSONFragment { time.map { .string($0.description) } ?? .null }
}
