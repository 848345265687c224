// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An open folder that only this user can access. Renaming or replacing the path does not affect an open folder.
///
/// Symbolic links are not followed, and files that other users can access are rejected. Writes are atomic, even with
/// several processes.
package final class PrivateFolder: Sendable {
  private let path: String
  private let folder: OpenFile
  /// The size limit of a file.
  private let limit: Int

  /// Opens the folder. Creates it and its parents if missing. Files of more than `limit` bytes cannot be read.
  package convenience init(creating path: String, limit: Int) throws(PrivateFolderError) {
    do throws(SystemError) {
      try Folder.create(path)
    } catch {
      throw .failed(.createFolder, path, error)
    }
    guard let folder = try Self.opened(path) else { throw .failed(.createFolder, path, .noSuchFile) }
    self.init(path, folder, limit)
  }

  /// Opens the folder. Returns nil if it does not exist. Files of more than `limit` bytes cannot be read.
  package convenience init?(at path: String, limit: Int) throws(PrivateFolderError) {
    guard let folder = try Self.opened(path) else { return nil }
    self.init(path, folder, limit)
  }

  /// Throws if files cannot be created in the folder, or if it does not exist and cannot be created. Creates nothing.
  package static func requireWritable(_ path: String) throws(PrivateFolderError) {
    var existing = path
    while unsafe access(existing, F_OK) != 0, errno == ENOENT, let slash = existing.lastIndex(of: "/") {
      existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
    }
    do throws(SystemError) {
      _ = try SystemError.check { unsafe access(existing, W_OK | X_OK) }
    } catch {
      throw .failed(existing == path ? .write : .createFolder, path, error)
    }
  }

  private init(_ path: String, _ folder: OpenFile, _ limit: Int) {
    self.path = path
    self.folder = folder
    self.limit = limit
  }

  private static func opened(_ path: String) throws(PrivateFolderError) -> OpenFile? {
    let folder: OpenFile
    let isPrivate: Bool
    do throws(SystemError) {
      folder = try OpenFile(path, [.reading, .folder, .notFollowingLinks])
      isPrivate = try folder.status.isPrivate
    } catch {
      if error == .noSuchFile { return nil }
      throw .failed(.openFolder, path, error)
    }
    guard isPrivate else { throw .folderNotPrivate(path) }
    return folder
  }

  /// Locks the folder against other processes until ``unlock()``. Blocks while another process holds the lock.
  package func lock() throws(PrivateFolderError) {
    try failing(.lock) { () throws(SystemError) in try folder.lock() }
  }

  package func unlock() {
    folder.unlock()
  }

  /// Returns the names of the files, sorted.
  package func names() throws(PrivateFolderError) -> [String] {
    try allNames().filter { (name) in !name.hasPrefix(".") }
  }

  /// Returns the names of the files, the most recently written first.
  package func namesByAge() throws(PrivateFolderError) -> [String] {
    let dated = try names().map { (name) in
      (name: name, time: (try? FileStatus(ofFileAt: name, followingLinks: false, in: folder))?.modified ?? 0)
    }
    return dated.sorted { $0.time > $1.time }.map(\.name)
  }

  private func allNames() throws(PrivateFolderError) -> [String] {
    try failing(.read) { () throws(SystemError) in try folder.names() }
  }

  /// Returns the content of a file, or nil if it does not exist.
  package func read(_ name: String) throws(PrivateFolderError) -> [UInt8]? {
    let place = "\(path)/\(name)"
    let isPrivate: Bool
    let content: [UInt8]?
    do throws(SystemError) {
      // Non-blocking, because opening a FIFO would block forever.
      let file = try OpenFile(name, [.reading, .notFollowingLinks, .notBlocking], in: folder)
      let status = try file.status
      isPrivate = status.kind == .regular && status.isPrivate
      content = isPrivate ? try file.readToEnd(limit: limit) : nil
    } catch {
      if error == .noSuchFile { return nil }
      throw .failed(.read, place, error)
    }
    guard isPrivate else { throw .fileNotPrivate(place) }
    guard let content else { throw .fileTooLarge(place) }
    return content
  }

  /// Writes the file atomically and durably. On failure the previous content remains, unless only the fsync of the folder
  /// failed: then the new content is in place, but a crash of the machine may bring the previous one back.
  package func write(_ bytes: [UInt8], to name: String) throws(PrivateFolderError) {
    let draft = ".\(getpid()).\(String(UInt64.random(in: .min ... .max), radix: 16))"
    try failing(.write, name) { () throws(SystemError) in
      try FileReplacement.replace(name, with: bytes, draft: draft, in: folder, durability: .durable)
    }
  }

  /// Deletes temporary files that killed processes left behind.
  package func deleteAbandonedDrafts() throws(PrivateFolderError) {
    for name in try allNames() {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty, let writer = pid_t(parts[1]), writer > 0 else { continue }
      if kill(writer, 0) != 0, errno == ESRCH { try delete(name) }
    }
  }

  /// Deletes the file if it exists.
  package func delete(_ name: String) throws(PrivateFolderError) {
    try failing(.delete, name) { () throws(SystemError) in try Folder.deleteFile(name, in: folder) }
  }

  private func failing<Value>(
    _ operation: PrivateFolderError.Operation, _ name: String? = nil, _ body: () throws(SystemError) -> Value
  ) throws(PrivateFolderError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .failed(operation, name.map { "\(path)/\($0)" } ?? path, error)
    }
  }
}

/// An error of a ``PrivateFolder``, with the path of the folder or the file.
package enum PrivateFolderError: Error, Hashable {
  case failed(Operation, String, SystemError)
  /// Other users can access the folder.
  case folderNotPrivate(String)
  /// The file is not a regular file, or other users can access it.
  case fileNotPrivate(String)
  case fileTooLarge(String)

  package enum Operation: String, Sendable {
    case createFolder = "create the folder"
    case openFolder = "open the folder"
    case lock, read, write, delete
  }
}
