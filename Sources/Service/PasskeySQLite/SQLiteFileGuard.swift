// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeySystem
internal import Synchronization
internal import PasskeyStorage

/// Detects that another program has removed, replaced, cut or overwritten the files of an open database.
///
/// SQLite does not detect it: it continues to write to a deleted file, and reads nothing back. Acknowledged changes would be
/// lost when the process ends.
///
/// Each look compares the names with the open files, and the ends of the log with its index. A thorough one also verifies
/// frames at even distances: it finds a hole of a thirty-second of the log at once, and a smaller one after some looks. The
/// content of the database file is not verified.
final class SQLiteFileGuard: Sendable {
  /// A look at the files.
  enum Depth {
    /// For each commit.
    case ends
    /// For each second.
    case samples
  }

  private enum Finding: Hashable {
    /// The path names no file or another one. The finding ends when the file returns.
    case missing(String)
    /// The log was changed, but has all frames that the database file lacks. The finding ends when they are copied.
    case damaged
    /// The log lacks frames that are nowhere else. The finding never ends.
    case lost
  }

  private struct State {
    var isClosed = false
    var finding: Finding?
    /// The last frame that was seen, which later commits do not change.
    var known: (salt: [UInt8], number: Int, header: [UInt8])?
    /// Whether the database file has all that the log had when the finding was made.
    var isSaved = false
  }

  private struct Place {
    let path: String
    let identity: FileStatus.Identity
  }

  // The memory belongs to the writer's connection, and is read while the lock is held and `isClosed` is false.
  @safe private struct Index: @unchecked Sendable {
    let pointer: UnsafeRawPointer
  }

  /// The device and the number of the database file.
  var identity: FileStatus.Identity { database.identity }

  private let database: Place
  private let others: [Place]
  private let log: OpenFile
  private let index: Index
  private let state = Locked(State())
  private let hasFinding = Atomic(false)

  /// 32 frames [128 KiB a second]
  private static let sampleCount = 32

  /// Call it after a write, which creates the files, and ``close()`` before the connection is closed.
  init(_ path: String, _ connection: SQLiteConnection, log: OpenFile) throws(StorageError) {
    guard let index = unsafe connection.logIndex, connection.logPath.hasSuffix("wal") else {
      throw StorageError(.failed, "SQLite has no index of the write-ahead log")
    }
    do throws(SystemError) {
      database = Place(path: path, identity: try FileStatus(ofFileAt: path).identity)
      let indexPath = connection.logPath.dropLast(3) + "shm"
      others = [
        Place(path: connection.logPath, identity: try log.status.identity),
        Place(path: String(indexPath), identity: try FileStatus(ofFileAt: String(indexPath)).identity),
      ]
    } catch {
      throw StorageError(.unavailable, "the files of the database cannot be read: \(error.message)")
    }
    self.log = log
    self.index = unsafe Index(pointer: index)
  }

  /// Returns what is wrong, or nil. Costs one system call if the last look found nothing.
  var fault: StorageError? { hasFinding.load(ordering: .relaxed) || !isInPlace(database) ? look(.ends) : nil }

  /// Throws if the last look found something, and a new one still does.
  func requireIntact() throws(StorageError) {
    if hasFinding.load(ordering: .relaxed), let fault = look(.ends) { throw fault }
  }

  /// Looks at the files, and returns what is wrong, or nil.
  func look(_ depth: Depth) -> StorageError? {
    state.withLock { (state) in
      guard !state.isClosed else { return nil }
      switch state.finding {
      case .damaged, .lost: break
      case .missing, nil:
        let finding = find(depth, &state)
        if finding != state.finding { state.isSaved = false }
        state.finding = finding
      }
      hasFinding.store(state.finding != nil, ordering: .relaxed)
      return state.finding.map { (finding) in error(finding, isSaved: state.isSaved) }
    }
  }

  private func isInPlace(_ place: Place) -> Bool {
    (try? FileStatus(ofFileAt: place.path))?.identity == place.identity
  }

  private func find(_ depth: Depth, _ state: inout State) -> Finding? {
    if !isWhole(depth, &state) { return judge() }
    return ([database] + others).first { (place) in !isInPlace(place) }.map { (place) in .missing(place.path) }
  }

  /// Whether the log has what its index says. Other processes may write it meanwhile.
  private func isWhole(_ depth: Depth, _ state: inout State) -> Bool {
    for _ in 0..<100 {
      guard let before = unsafe SQLiteLogIndex(at: index.pointer) else { continue }
      if (try? isWhole(before, depth, &state)) ?? false { return true }
      guard let after = unsafe SQLiteLogIndex(at: index.pointer) else { continue }
      if after == before { return false }
    }
    // The index changes all the time. A later look decides.
    return true
  }

  private func isWhole(_ index: SQLiteLogIndex, _ depth: Depth, _ state: inout State) throws(SystemError) -> Bool {
    // No frame is needed before the log is written again.
    guard index.frameCount > 0 else { return true }
    let frames = SQLiteLogFrames(log, index)
    guard try frames.haveEnds else { return false }
    if let known = state.known, known.salt == index.salt, known.number <= index.frameCount {
      // A commit after the log was cut leaves a hole here.
      guard try frames.header(ofFrame: known.number) == known.header else { return false }
    }
    if depth == .samples {
      let distance = max(1, index.frameCount / Self.sampleCount)
      guard try frames.areIntact(stride(from: .random(in: 1...distance), through: index.frameCount, by: distance))
      else {
        return false
      }
    }
    if let header = try frames.header(ofFrame: index.frameCount) {
      state.known = (index.salt, index.frameCount, header)
    }
    return true
  }

  private func error(_ finding: Finding, isSaved: Bool) -> StorageError {
    let text =
      switch finding {
      case .missing(database.path): "\"\(database.path)\" was removed or replaced: restore it and restart the server"
      case .missing(let path) where isSaved:
        "\"\(path)\" was removed or replaced; the database file has all acknowledged changes: restart the server"
      case .missing(let path):
        "\"\(path)\" was removed or replaced: stop the server with SIGTERM, which saves its changes"
      case .damaged:
        "the write-ahead log of \"\(database.path)\" was cut or overwritten, and is being replaced; no change is lost"
      case .lost:
        """
        the write-ahead log of "\(database.path)" was cut or overwritten, and the latest changes are lost: copy the files of \
        the database, restart the server, and compare with the audit log
        """
      }
    return StorageError(.unavailable, text)
  }
}

// MARK: Saving

extension SQLiteFileGuard {
  /// Whether the log has something to copy to the database file after a finding. The copy must then empty the log, so that
  /// SQLite never puts its older pages before newer ones of the database file.
  func beginSaving() -> Bool {
    state.withLock { (state) in
      guard !state.isClosed, !state.isSaved else { return false }
      if state.finding == .damaged { state.finding = judge() }
      return state.finding != nil && state.finding != .lost
    }
  }

  /// Ends a copy that began after ``beginSaving()``.
  func endSaving() {
    state.withLock { (state) in
      if state.finding == .damaged { state.finding = nil } else { state.isSaved = true }
    }
  }

  /// Whether all frames that the database file lacks are in a damaged log.
  private func judge() -> Finding {
    for _ in 0..<100 {
      guard let index = unsafe SQLiteLogIndex(at: index.pointer) else { continue }
      let frames = SQLiteLogFrames(log, index)
      let missing = (1...).prefix(index.frameCount).dropFirst(index.copiedCount)
      if (try? frames.areIntact(missing)) == true { return .damaged }
      // SQLite would read a log that ends before what the database file has, and put older pages before newer ones.
      if (try? frames.areIntact((1...).prefix(index.copiedCount))) != true, let place = others.first, isInPlace(place) {
        // A log that was moved aside before stays, and this one too.
        try? FileStatus.move(place.path, toNew: "\(place.path).damaged")
      }
      return .lost
    }
    return .damaged
  }

  /// Ends all looks. Returns whether changes are lost, so that nothing of the log may be copied.
  func close() -> Bool {
    state.withLock { (state) in
      state.isClosed = true
      return state.finding == .damaged || state.finding == .lost
    }
  }
}
