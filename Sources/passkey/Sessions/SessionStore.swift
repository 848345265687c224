// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnClient
internal import WireFormats

/// The sessions that were opened and not yet ended: a file for each server, profile and user, which nobody else can read.
///
/// What is in it is the session's token, which is good for minutes; a passkey's private key never is. What else is in the
/// folder stands in nobody's way: it is named, and passed over.
struct SessionStore {
  let path: String

  /// The store in its usual place.
  init() throws(CommandFailure) {
    guard let path = StateFolder.path(of: "passkey") else {
      throw .usage("there is no HOME to keep a session in", hint: "set XDG_STATE_HOME, or use --no-store")
    }
    self.path = path
  }

  init(path: String) {
    self.path = path
  }

  /// Fails where a session could not be kept, before one is opened. Nothing is made.
  func requireFolder() throws(CommandFailure) {
    _ = try folder()
  }

  /// Every session of a server, under a profile. What is no session, or cannot be read, is told to `passOver`.
  func sessions(
    at server: ServerAddress, _ profile: String, passOver: (CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) -> [ServerSession] {
    guard let folder = try folder() else { return [] }
    var sessions: [ServerSession] = []
    for name in try folder.names() where name.hasSuffix(Self.suffix) {
      do throws(CommandFailure) {
        guard let session = try Self.session(name, in: folder, path) else { continue }
        guard name == Self.name(of: session) else {
          // Nobody would find it there to replace or to delete it.
          throw .inputOutput("\("\(path)/\(name)".quotedForTerminal) is not where the session in it is kept")
        }
        if session.server == server, session.profile == profile { sessions.append(session) }
      } catch {
        passOver(error)
      }
    }
    return sessions
  }

  /// Keeps a session, and gives the same user's one, in the place of which it is now.
  func keep(_ session: ServerSession) throws(CommandFailure) -> ServerSession? {
    let kept = try opened()
    defer { kept.close() }
    let replaced = kept.current(session)
    try kept.write(session)
    return replaced
  }

  /// Forgets a session, unless another is in its place already.
  func forget(_ session: ServerSession) throws(CommandFailure) {
    guard try folder() != nil else { return }
    let kept = try opened()
    defer { kept.close() }
    try kept.forget(session)
  }

  /// Takes the session of this one's user out of the store: this one, or what is in its place by now.
  func take(_ session: ServerSession) throws(CommandFailure) -> ServerSession {
    guard try folder() != nil else { return session }
    let kept = try opened()
    defer { kept.close() }
    let current = kept.current(session) ?? session
    try kept.delete(session)
    return current
  }

  /// The store with other processes of this program kept out of it, until it is closed. Who has it opens no second one.
  func opened() throws(CommandFailure) -> OpenSessionStore {
    try OpenSessionStore(PrivateFolder(making: path), path)
  }

  /// The folder, where there is one.
  private func folder() throws(CommandFailure) -> PrivateFolder? {
    do throws(CommandFailure) {
      return try PrivateFolder(at: path)
    } catch {
      throw error.hint == nil ? error.hinting("move away what is there, or use --no-store") : error
    }
  }

  fileprivate static let suffix = ".json"

  /// A name that says nothing of the user, whatever the user is called.
  fileprivate static func name(of session: ServerSession) -> String {
    let parts = [session.server.text, session.profile, session.user ?? ""]
    let digest = Digest.sha256([UInt8](parts.joined(separator: "\u{0}").utf8)[...])
    return Hex.encode(digest.prefix(16)) + suffix
  }

  fileprivate static func session(
    _ name: String, in folder: PrivateFolder, _ path: String
  ) throws(CommandFailure) -> ServerSession? {
    guard let bytes = try folder.read(name) else { return nil }
    do throws(ClientError) {
      return try ServerSession(json: bytes[...])
    } catch {
      throw .inputOutput("\("\(path)/\(name)".quotedForTerminal) holds no session that this program can read")
    }
  }
}

/// The store, for one process at a time: what renews a session is good for one of them, and whoever replaces a session has
/// to know which.
struct OpenSessionStore {
  private let folder: PrivateFolder
  private let path: String

  fileprivate init(_ folder: PrivateFolder, _ path: String) throws(CommandFailure) {
    try folder.lock()
    (self.folder, self.path) = (folder, path)
  }

  /// Lets the others in.
  func close() {
    folder.unlock()
  }

  /// What is kept of this session's user now; nil where that is nothing, or nothing that can be read.
  func current(_ session: ServerSession) -> ServerSession? {
    (try? SessionStore.session(SessionStore.name(of: session), in: folder, path)).flatMap { $0 }
  }

  func write(_ session: ServerSession) throws(CommandFailure) {
    deleteAbandonedDrafts()
    try folder.write(session.json, to: SessionStore.name(of: session))
  }

  /// Forgets a session, unless another is in its place already.
  func forget(_ session: ServerSession) throws(CommandFailure) {
    if let current = current(session), current != session { return }
    try delete(session)
  }

  /// Deletes whatever is kept of this session's user.
  func delete(_ session: ServerSession) throws(CommandFailure) {
    deleteAbandonedDrafts()
    try folder.delete(SessionStore.name(of: session))
  }

  /// What cannot be deleted there stands in nobody's way.
  private func deleteAbandonedDrafts() {
    try? folder.deleteAbandonedDrafts()
  }
}
