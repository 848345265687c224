// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeySystem

/// A store of small values with secrets in a folder: one file per server, profile and user, readable by this user only.
///
/// Writes are atomic and durable. Processes may share a folder: a lock serializes changes, and reading needs none.
package struct PrivateStore<Value: PrivateValue>: Sendable {
  /// The folder; nil if its path is unknown.
  private let path: String?

  /// Creates a store in a folder, which is created when the first value is stored. If the path is nil, because the
  /// environment does not say where state is stored, every method throws ``PrivateStoreError/folderUnknown``.
  package init(path: String?) {
    self.path = path
  }

  /// Runs an operation of the store on a thread of its own, because it blocks while another process has the lock.
  func perform<Answer: Sendable>(
    _ operation: @escaping @Sendable (Self) throws(PrivateStoreError) -> Answer
  ) async throws(PrivateStoreError) -> Answer {
    let answer = try await SystemThread.run { [self] () throws(PrivateStoreError) in try operation(self) }
    guard let answer else { throw .folder(.failed(.lock, path ?? "", .wouldBlock)) }
    return answer
  }

  /// Throws if a value could not be stored. Creates nothing.
  package func requireFolder() throws(PrivateStoreError) {
    _ = try folder()
    let path = try requirePath()
    try mapError(PrivateFolder.requireWritable(path), PrivateStoreError.folder)
  }

  /// Returns every value for a server and a profile, the most recently written first. Calls `skip` for each invalid or
  /// unreadable file, in the order of their names.
  package func values(
    at server: ServerAddress, profile: String, skip: (PrivateStoreError) -> Void = { _ in }
  ) throws(PrivateStoreError) -> [Value] {
    guard let folder = try folder() else { return [] }
    let names = try mapError(folder.namesByAge(), PrivateStoreError.folder)
    var found: [(age: Int, value: Value)] = []
    for (age, name) in names.enumerated().sorted(by: { $0.element < $1.element })
    where name.hasSuffix(AccountKey.suffix) {
      do throws(PrivateStoreError) {
        guard let value = try Self.value(name, in: folder, requirePath()) else { continue }
        if value.key.isFor(server, profile: profile, user: nil) { found.append((age, value)) }
      } catch {
        skip(error)
      }
    }
    return found.sorted { $0.age < $1.age }.map(\.value)
  }

  /// Returns the value of a user, or the most recently written one if `user` is nil. Invalid files are ignored.
  package func value(at server: ServerAddress, profile: String, user: String?) -> Value? {
    guard let path, let folder = try? folder() else { return nil }
    let name = user.map { AccountKey(server: server, profile: profile, user: $0).fileName }
    let names = name.map { [$0] } ?? (try? folder.namesByAge())?.filter { $0.hasSuffix(AccountKey.suffix) } ?? []
    let found = names.lazy.compactMap { (name) in (try? Self.value(name, in: folder, path)).flatMap { $0 } }
    return found.first { (value) in value.key.isFor(server, profile: profile, user: user) }
  }

  /// Stores a value and returns the same user's previous one.
  @discardableResult
  package func keep(_ value: Value) throws(PrivateStoreError) -> Value? {
    let opened = try opened()
    defer { opened.close() }
    let replaced = opened.current(value)
    try opened.write(value)
    return replaced
  }

  /// Deletes a value, unless it has been replaced already.
  package func forget(_ value: Value) throws(PrivateStoreError) {
    guard try folder() != nil else { return }
    let opened = try opened()
    defer { opened.close() }
    try opened.forget(value)
  }

  /// Removes this user's value from the store. Returns the stored value, which may have replaced the given one.
  package func take(_ value: Value) throws(PrivateStoreError) -> Value {
    guard try folder() != nil else { return value }
    let opened = try opened()
    defer { opened.close() }
    let current = opened.current(value) ?? value
    try opened.delete(value)
    return current
  }

  /// Opens and locks the store. The caller must close it, and must not open a second one before that.
  func opened() throws(PrivateStoreError) -> OpenPrivateStore<Value> {
    let path = try requirePath()
    return try OpenPrivateStore(
      mapError(PrivateFolder(creating: path, limit: Self.maximumFileByteCount), PrivateStoreError.folder), path)
  }

  // 64 KiB [a value is a few hundred bytes, a cookie at most 8 KiB]
  private static var maximumFileByteCount: Int { 1 << 16 }

  /// Returns the folder if it exists.
  private func folder() throws(PrivateStoreError) -> PrivateFolder? {
    let path = try requirePath()
    return try mapError(PrivateFolder(at: path, limit: Self.maximumFileByteCount), PrivateStoreError.folder)
  }

  private func requirePath() throws(PrivateStoreError) -> String {
    guard let path else { throw .folderUnknown }
    return path
  }

  /// Returns the value in a file; nil if the file does not exist.
  fileprivate static func value(
    _ name: String, in folder: PrivateFolder, _ path: String
  ) throws(PrivateStoreError) -> Value? {
    let bytes = try mapError(folder.read(name), PrivateStoreError.folder)
    guard let bytes else { return nil }
    guard let value = try? Value(json: bytes) else { throw .malformed("\(path)/\(name)") }
    // Replacing or deleting the value would not find this file.
    guard name == value.key.fileName else { throw .misplaced("\(path)/\(name)") }
    return value
  }
}

/// A store that is locked by this process. The lock ensures that a refresh token is used only once, and that a replaced
/// value is known.
struct OpenPrivateStore<Value: PrivateValue>: Sendable {
  private let folder: PrivateFolder
  private let path: String

  fileprivate init(_ folder: PrivateFolder, _ path: String) throws(PrivateStoreError) {
    try mapError(folder.lock(), PrivateStoreError.folder)
    (self.folder, self.path) = (folder, path)
  }

  /// Unlocks the store.
  func close() {
    folder.unlock()
  }

  /// Returns the stored value of the same user; nil if it is missing or unreadable.
  func current(_ value: Value) -> Value? {
    (try? PrivateStore<Value>.value(value.key.fileName, in: folder, path)).flatMap { $0 }
  }

  /// Stores a value in place of the same user's previous one.
  func write(_ value: Value) throws(PrivateStoreError) {
    deleteAbandonedDrafts()
    try mapError(folder.write(value.json, to: value.key.fileName), PrivateStoreError.folder)
  }

  /// Deletes a value, unless it has been replaced already.
  func forget(_ value: Value) throws(PrivateStoreError) {
    if let current = current(value), current != value { return }
    try delete(value)
  }

  /// Deletes the stored value of the same user.
  func delete(_ value: Value) throws(PrivateStoreError) {
    deleteAbandonedDrafts()
    try mapError(folder.delete(value.key.fileName), PrivateStoreError.folder)
  }

  /// Deletes abandoned drafts. Errors are ignored, because the drafts do no harm.
  private func deleteAbandonedDrafts() {
    try? folder.deleteAbandonedDrafts()
  }
}

/// An error of a ``PrivateStore``.
package enum PrivateStoreError: Error, Hashable {
  /// The environment does not say where state is stored.
  case folderUnknown
  /// The folder or a file cannot be used.
  case folder(PrivateFolderError)
  /// The file at this path is not a value that this version can read.
  case malformed(String)
  /// The file at this path contains a value that belongs into another file.
  case misplaced(String)
}
