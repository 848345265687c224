// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeySystem
internal import WebAuthnClient

/// Reads and runs lines until the user leaves or is idle for too long.
final class SessionLoop {
  private let server: LiveServer
  private let editor: LineEditor
  /// The session options that apply to each line.
  private let inherited: [Option<Bool>]
  private let idleLimit: Duration
  private var warnings: ExpiryWarning

  init(_ server: LiveServer, idleLimit: Duration, inherited: [Option<Bool>]) {
    self.server = server
    self.inherited = inherited
    self.idleLimit = idleLimit
    warnings = ExpiryWarning(window: .seconds(server.options.profile.sessions.warningSeconds))
    editor = LineEditor(idleLimit: idleLimit) { (beginning) in SessionLine.completion(of: beginning) }
  }

  func run() throws(CommandFailure) {
    try begin()
    // How often Ctrl-C was pressed in succession at an empty prompt, or during a command.
    var interruptionCount = 0
    // Without a terminal, the first error ends the loop.
    while true {
      switch editor.read(prompt: prompt, notice: notice) {
      case .line(let line):
        interruptionCount = 0
        do throws(CommandFailure) {
          guard try perform(line) else { return }
        } catch {
          guard editor.isInteractive else { throw error }
          if Interruption.count > 0 {
            interruptionCount = 1
            reportInterruption(error)
          } else {
            Diagnostics.passkey.report(error)
          }
        }
      case .interrupted(isEmpty: false): interruptionCount = 0
      case .interrupted(isEmpty: true):
        interruptionCount += 1
        guard interruptionCount < 2 else { return }
        Diagnostics.passkey.note("Ctrl-C again or Ctrl-D exits")
      case .end: return
      case .idle: return try leave()
      }
    }
  }

  /// Signs in unless there is a session. The user of a stored session is verified again if the server can do so, unless
  /// the lines come from a program that did not answer with --yes: no user is present then.
  private func begin() throws(CommandFailure) {
    let server = server
    let isAttended = editor.isInteractive || server.opener.choice.saysYes
    let session = try Blocking.wait { () async throws(CommandFailure) in
      do throws(CommandFailure) {
        let session = try await server.session()
        guard isAttended, server.options.keepsSessions, server.options.profile.canReverify else { return session }
        if try await server.reverifyIfServed() == nil {
          Diagnostics.passkey.note("the server cannot ask for a passkey again: the stored session goes on")
        }
        return server.sessions.current ?? session
      } catch {
        guard error.exitCode == .refusedByServer else { throw error }
        return try await server.signIn()
      }
    }
    guard editor.isInteractive else { return }
    Diagnostics.passkey.note("\(session.description.escapedForTerminal); help lists the commands")
  }

  /// Runs a line. Returns false if the line ends the session.
  private func perform(_ line: String) throws(CommandFailure) -> Bool {
    Interruption.forget()
    switch try SessionLine.read(line, inheriting: inherited) {
    case .nothing: return true
    case .exit: return false
    case .help(let text):
      if inherited.contains(where: { (option) in option.name == Option.json.name }) {
        try Output.writeObject { (object) in object.write("help", .string(text)) }
      } else {
        try Output.write(text)
      }
      return true
    case .command(let command):
      let server = command.isConfirmed ? server.withConsent : server
      defer { if Interruption.count > 0 { server.opener.closeAfterInterruption() } }
      try Blocking.wait(untilInterrupted: editor.isInteractive) { () async throws(CommandFailure) in
        try await command.perform(server)
      }
      return true
    }
  }

  /// Reports the outcome of a cancelled line.
  private func reportInterruption(_ failure: CommandFailure) {
    Interruption.endLine()
    Diagnostics.passkey.report(failure)
    if failure.hint == nil { Diagnostics.passkey.note("the line was cancelled completely") }
  }

  /// Signs out after the idle time-out, so that another person at the terminal cannot use the session.
  private func leave() throws(CommandFailure) {
    Diagnostics.passkey.note("no input for \(idleLimit.components.seconds) s: signing out")
    guard let session = server.sessions.current else { return }
    let server = server
    try Blocking.wait { () async throws(CommandFailure) in
      try await server.withSessions { (sessions) async throws(SessionError) in try await sessions.forget(session) }
      try? await server.handshake.signOut(of: session)
    }
  }

  private func prompt() -> String {
    guard let session = server.sessions.current else { return "signed out> " }
    let user = (session.user ?? "user").escapedForTerminal
    if server.sessions.isOffline { return "\(user), no connection> " }
    guard let left = session.secondsLeft(at: Clock.now) else { return "\(user)> " }
    return left >= 120 ? "\(user), \(left / 60) min> " : "\(user), \(left) s> "
  }

  private func notice() -> String? {
    warnings.due(for: server.sessions.current, at: Clock.now).map { "passkey: \($0)" }
  }
}
