// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// Reads lines and does what they say, until somebody leaves or is gone.
final class SessionLoop {
  private let server: LiveServer
  private let editor: LineEditor
  private let asJSON: Bool
  private let idleLimit: Duration
  private var warnings = ExpiryWarning()

  init(_ server: LiveServer, idleLimit: Duration, asJSON: Bool) {
    self.server = server
    self.asJSON = asJSON
    self.idleLimit = idleLimit
    editor = LineEditor(idleLimit: idleLimit) { (beginning) in SessionLine.completion(of: beginning) }
  }

  func run() throws(CommandFailure) {
    try begin()
    // Where nobody looks, the first thing that goes wrong is the last thing that is done.
    while true {
      switch editor.read(prompt: prompt, notice: notice) {
      case .line(let line):
        do throws(CommandFailure) {
          guard try perform(line) else { return }
        } catch {
          guard editor.isInteractive else { throw error }
          Diagnostics.passkey.report(error)
        }
      case .interrupted: continue
      case .end: return
      case .idle: return try leave()
      }
    }
  }

  /// Whoever is not signed in is now.
  private func begin() throws(CommandFailure) {
    let server = server
    let session = try Blocking.wait { () async throws(CommandFailure) in
      do throws(CommandFailure) {
        return try await server.session()
      } catch {
        guard error.exitCode == .refusedByServer else { throw error }
        return try await server.signIn()
      }
    }
    guard editor.isInteractive else { return }
    Diagnostics.passkey.note("\(session.description.escapedForTerminal); help lists the commands")
  }

  /// Does what a line says; false where it says to leave.
  private func perform(_ line: String) throws(CommandFailure) -> Bool {
    switch try SessionLine.read(line, asJSON: asJSON) {
    case .nothing: return true
    case .exit: return false
    case .help(let text):
      try Output.write(text)
      return true
    case .command(let command, let arguments):
      let server = server
      try Blocking.wait { () async throws(CommandFailure) in try await command.perform(arguments, at: server) }
      return true
    }
  }

  /// Nobody is there any more: whoever comes next is somebody else.
  private func leave() throws(CommandFailure) {
    Diagnostics.passkey.note("nothing was typed for \(idleLimit.components.seconds) s: signing out")
    guard let session = server.currentSession else { return }
    let server = server
    try Blocking.wait { () async throws(CommandFailure) in
      try server.forget(session)
      try? await server.handshake.signOut(of: session)
    }
  }

  private func prompt() -> String {
    guard let session = server.currentSession else { return "nobody> " }
    let user = (session.user ?? "somebody").escapedForTerminal
    if server.isOffline { return "\(user), no connection> " }
    guard let left = session.secondsLeft(at: Clock.now) else { return "\(user)> " }
    return left >= 120 ? "\(user), \(left / 60) min> " : "\(user), \(left) s> "
  }

  private func notice() -> String? {
    warnings.due(for: server.currentSession, at: Clock.now)
  }
}

/// What is said once before a session ends, and once when it has.
struct ExpiryWarning {
  private var isWarned = false
  private var isTold = false
  private var expiry: Timestamp?

  mutating func due(for session: ServerSession?, at now: Timestamp) -> String? {
    guard let session, let left = session.secondsLeft(at: now) else { return nil }
    if session.expiry != expiry { self = Self() }
    expiry = session.expiry
    if left == 0, !isTold {
      isTold = true
      isWarned = true
      return "passkey: the session has ended: sign-in opens another"
    }
    if session.endsSoon(at: now), !isWarned {
      isWarned = true
      return session.isRenewable
        ? "passkey: the session ends in \(left) s, and is renewed by the next command before that"
        : "passkey: the session ends in \(left) s: sign-in opens another"
    }
    return nil
  }
}
