// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnClient
internal import WireFormats

/// The stored sessions: one file per server, profile and user, readable by this user only.
///
/// A file contains session tokens, but never a passkey's private key. Unrecognized files are reported and skipped.
struct SessionStore {
  let path: String

  /// Opens the store at its default path.
  init() throws(CommandFailure) {
    guard let path = StateFolder.path(of: "passkey") else {
      throw .usage("HOME is not set, so sessions cannot be stored", hint: "set XDG_STATE_HOME, or use --no-store")
    }
    self.path = path
  }

  init(path: String) {
    self.path = path
  }

  /// Throws if a session could not be stored. Creates nothing.
  func requireFolder() throws(CommandFailure) {
    _ = try folder()
  }

  /// Returns every session for a server and a profile. Reports invalid or unreadable files to `passOver`.
  func sessions(
    at server: ServerAddress, _ profile: String, passOver: (CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) -> [ServerSession] {
    guard let folder = try folder() else { return [] }
    var sessions: [ServerSession] = []
    for name in try folder.names() where name.hasSuffix(Self.suffix) {
      do throws(CommandFailure) {
        guard let session = try Self.session(name, in: folder, path) else { continue }
        guard name == Self.name(of: session) else {
          // Replacing or deleting the session would not find this file.
          throw .inputOutput("\("\(path)/\(name)".quotedForTerminal) contains a session that belongs in another file")
        }
        if session.server == server, session.profile == profile { sessions.append(session) }
      } catch {
        passOver(error)
      }
    }
    return sessions
  }

  /// Stores a session and returns the same user's previous one.
  func keep(_ session: ServerSession) throws(CommandFailure) -> ServerSession? {
    let kept = try opened()
    defer { kept.close() }
    let replaced = kept.current(session)
    try kept.write(session)
    return replaced
  }

  /// Deletes a session, unless it has been replaced already.
  func forget(_ session: ServerSession) throws(CommandFailure) {
    guard try folder() != nil else { return }
    let kept = try opened()
    defer { kept.close() }
    try kept.forget(session)
  }

  /// Removes this user's session from the store. Returns the stored session, which may have replaced the given one.
  func take(_ session: ServerSession) throws(CommandFailure) -> ServerSession {
    guard try folder() != nil else { return session }
    let kept = try opened()
    defer { kept.close() }
    let current = kept.current(session) ?? session
    try kept.delete(session)
    return current
  }

  /// Opens and locks the store. The caller must close it, and must not open a second one before that.
  func opened() throws(CommandFailure) -> OpenSessionStore {
    try OpenSessionStore(PrivateFolder(making: path), path)
  }

  /// Returns the folder if it exists.
  private func folder() throws(CommandFailure) -> PrivateFolder? {
    do throws(CommandFailure) {
      return try PrivateFolder(at: path)
    } catch {
      throw error.hint == nil ? error.hinting("move the existing file away, or use --no-store") : error
    }
  }

  fileprivate static let suffix = ".json"

  /// Returns a file name that does not reveal the user.
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
      throw .inputOutput("\("\(path)/\(name)".quotedForTerminal) contains no session that this program can read")
    }
  }
}

/// A store that is locked by this process. The lock ensures that a refresh token is used only once, and that a replaced
/// session is known.
struct OpenSessionStore {
  private let folder: PrivateFolder
  private let path: String

  fileprivate init(_ folder: PrivateFolder, _ path: String) throws(CommandFailure) {
    try folder.lock()
    (self.folder, self.path) = (folder, path)
  }

  /// Unlocks the store.
  func close() {
    folder.unlock()
  }

  /// Returns the stored session of the same user; nil if it is missing or unreadable.
  func current(_ session: ServerSession) -> ServerSession? {
    (try? SessionStore.session(SessionStore.name(of: session), in: folder, path)).flatMap { $0 }
  }

  func write(_ session: ServerSession) throws(CommandFailure) {
    deleteAbandonedDrafts()
    try folder.write(session.json, to: SessionStore.name(of: session))
  }

  /// Deletes a session, unless it has been replaced already.
  func forget(_ session: ServerSession) throws(CommandFailure) {
    if let current = current(session), current != session { return }
    try delete(session)
  }

  /// Deletes the stored session of the same user.
  func delete(_ session: ServerSession) throws(CommandFailure) {
    deleteAbandonedDrafts()
    try folder.delete(SessionStore.name(of: session))
  }

  /// Deletes abandoned drafts. Errors are ignored, because the drafts do no harm.
  private func deleteAbandonedDrafts() {
    try? folder.deleteAbandonedDrafts()
  }
}
