// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeySystem

/// A store of sessions in a folder: one file per server, profile and user, readable by this user only.
///
/// A file contains session tokens, but never a passkey's private key. Processes may share a folder.
package struct SessionStore: Sendable {
  /// The folder; nil if its path is unknown.
  private let path: String?

  /// Creates a store in a folder, which is created when the first session is stored. If the path is nil, because the
  /// environment does not say where state is stored, every method throws ``SessionStoreError/folderUnknown``.
  package init(path: String?) {
    self.path = path
  }

  /// Runs an operation of the store on a thread of its own, because it blocks while another process has the lock.
  func perform<Value: Sendable>(
    _ operation: @escaping @Sendable (SessionStore) throws(SessionStoreError) -> Value
  ) async throws(SessionStoreError) -> Value {
    let value = try await SystemThread.run { [self] () throws(SessionStoreError) in try operation(self) }
    guard let value else { throw .folder(.failed(.lock, path ?? "", .wouldBlock)) }
    return value
  }

  /// Throws if a session could not be stored. Creates nothing.
  package func requireFolder() throws(SessionStoreError) {
    _ = try folder()
    let path = try requirePath()
    try SessionStoreError.wrapping { () throws(PrivateFolderError) in try PrivateFolder.requireWritable(path) }
  }

  /// Returns every session for a server and a profile, the latest sign-in first. Calls `skip` for each invalid or
  /// unreadable file, in the order of their names.
  package func sessions(
    at server: ServerAddress, profile: String, skip: (SessionStoreError) -> Void = { _ in }
  ) throws(SessionStoreError) -> [ServerSession] {
    guard let folder = try folder() else { return [] }
    let names = try SessionStoreError.wrapping { () throws(PrivateFolderError) in try folder.namesByAge() }
    var sessions: [(age: Int, session: ServerSession)] = []
    for (age, name) in names.enumerated().sorted(by: { $0.element < $1.element }) where name.hasSuffix(Self.suffix) {
      do throws(SessionStoreError) {
        guard let session = try Self.session(name, in: folder, requirePath()) else { continue }
        // Replacing or deleting the session would not find this file.
        guard name == Self.name(of: session) else { throw .misplaced("\(try requirePath())/\(name)") }
        if session.server == server, session.profile == profile { sessions.append((age, session)) }
      } catch {
        skip(error)
      }
    }
    // A renewal rewrites the file. The age of the file decides among sign-ins within one second.
    func signIn(_ session: ServerSession) -> Int64 { session.signedIn?.secondsSince1970 ?? .min }
    return sessions.sorted { (signIn($0.session), $1.age) > (signIn($1.session), $0.age) }.map(\.session)
  }

  /// Stores a session and returns the same user's previous one.
  package func keep(_ session: ServerSession) throws(SessionStoreError) -> ServerSession? {
    let kept = try opened()
    defer { kept.close() }
    let replaced = kept.current(session)
    try kept.write(session)
    return replaced
  }

  /// Deletes a session, unless it has been replaced already.
  package func forget(_ session: ServerSession) throws(SessionStoreError) {
    guard try folder() != nil else { return }
    let kept = try opened()
    defer { kept.close() }
    try kept.forget(session)
  }

  /// Removes this user's session from the store. Returns the stored session, which may have replaced the given one.
  package func take(_ session: ServerSession) throws(SessionStoreError) -> ServerSession {
    guard try folder() != nil else { return session }
    let kept = try opened()
    defer { kept.close() }
    let current = kept.current(session) ?? session
    try kept.delete(session)
    return current
  }

  /// Opens and locks the store. The caller must close it, and must not open a second one before that.
  func opened() throws(SessionStoreError) -> OpenSessionStore {
    let path = try requirePath()
    return try OpenSessionStore(
      SessionStoreError.wrapping { () throws(PrivateFolderError) in
        try PrivateFolder(creating: path, limit: Self.maximumByteCount)
      }, path)
  }

  // 64 KiB [a session is a few hundred bytes]
  private static let maximumByteCount = 1 << 16

  /// Returns the folder if it exists.
  private func folder() throws(SessionStoreError) -> PrivateFolder? {
    let path = try requirePath()
    return try SessionStoreError.wrapping { () throws(PrivateFolderError) in
      try PrivateFolder(at: path, limit: Self.maximumByteCount)
    }
  }

  private func requirePath() throws(SessionStoreError) -> String {
    guard let path else { throw .folderUnknown }
    return path
  }

  private static let suffix = ".json"

  /// Returns a file name that does not reveal the user.
  fileprivate static func name(of session: ServerSession) -> String {
    let parts = [session.server.text, session.profile, session.user ?? ""]
    let digest = Digest.sha256([UInt8](parts.joined(separator: "\u{0}").utf8)[...])
    return Hex.encode(digest.prefix(16)) + suffix
  }

  fileprivate static func session(
    _ name: String, in folder: PrivateFolder, _ path: String
  ) throws(SessionStoreError) -> ServerSession? {
    let bytes = try SessionStoreError.wrapping { () throws(PrivateFolderError) in try folder.read(name) }
    guard let bytes else { return nil }
    guard let session = try? ServerSession(json: bytes[...]) else { throw .malformed("\(path)/\(name)") }
    return session
  }
}

/// A store that is locked by this process. The lock ensures that a refresh token is used only once, and that a replaced
/// session is known.
struct OpenSessionStore: Sendable {
  private let folder: PrivateFolder
  private let path: String

  fileprivate init(_ folder: PrivateFolder, _ path: String) throws(SessionStoreError) {
    try SessionStoreError.wrapping { () throws(PrivateFolderError) in try folder.lock() }
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

  func write(_ session: ServerSession) throws(SessionStoreError) {
    deleteAbandonedDrafts()
    try SessionStoreError.wrapping { () throws(PrivateFolderError) in
      try folder.write(session.json, to: SessionStore.name(of: session))
    }
  }

  /// Deletes a session, unless it has been replaced already.
  func forget(_ session: ServerSession) throws(SessionStoreError) {
    if let current = current(session), current != session { return }
    try delete(session)
  }

  /// Deletes the stored session of the same user.
  func delete(_ session: ServerSession) throws(SessionStoreError) {
    deleteAbandonedDrafts()
    try SessionStoreError.wrapping { () throws(PrivateFolderError) in
      try folder.delete(SessionStore.name(of: session))
    }
  }

  /// Deletes abandoned drafts. Errors are ignored, because the drafts do no harm.
  private func deleteAbandonedDrafts() {
    try? folder.deleteAbandonedDrafts()
  }
}

/// An error of a ``SessionStore``.
package enum SessionStoreError: Error, Hashable {
  /// The environment does not say where state is stored.
  case folderUnknown
  /// The folder or a file cannot be used.
  case folder(PrivateFolderError)
  /// The file at this path is not a session that this version can read.
  case malformed(String)
  /// The file at this path contains a session that belongs into another file.
  case misplaced(String)

  fileprivate static func wrapping<Value>(_ body: () throws(PrivateFolderError) -> Value) throws(Self) -> Value {
    do throws(PrivateFolderError) {
      return try body()
    } catch {
      throw .folder(error)
    }
  }
}
