// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// Ceremonies that have begun a moment ago, in the memory of the one server that has the database.
///
/// They are kept for minutes at the most, and most of them for seconds: to write each to a file and to delete it there would
/// be two of a sign-in's three writes. One that is here is nowhere else, so it is taken once; what does not find room goes to
/// the file, and so does everything when the storage is closed. A process that is killed takes them with it, and whoever was
/// about to sign in begins again.
final class RecentCeremonies: Sendable {
  private struct State {
    var ceremonies: [CeremonyID: PendingCeremony] = [:]
    var byteCount = 0
    var isClosed = false

    mutating func take(_ id: CeremonyID) -> PendingCeremony? {
      guard let ceremony = ceremonies.removeValue(forKey: id) else { return nil }
      byteCount -= RecentCeremonies.size(of: ceremony)
      return ceremony
    }
  }

  private let state = Monitor(State())
  private let byteLimit: Int

  // 8 MiB  [some 15,000 sign-ins: as many as begin in five minutes at fifty a second, if nobody finishes any]
  static let usualByteLimit = 8 << 20

  init(byteLimit: Int = usualByteLimit) {
    self.byteLimit = byteLimit
  }

  /// Keeps a ceremony; false where there is no room.
  func keep(_ ceremony: PendingCeremony) throws(StorageError) -> Bool {
    let size = Self.size(of: ceremony)
    return try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed, size <= byteLimit - state.byteCount else { return false }
      guard state.ceremonies[ceremony.id] == nil else { throw StorageError(.conflict, "ceremony") }
      state.ceremonies[ceremony.id] = ceremony
      state.byteCount += size
      return true
    }
  }

  /// Takes a ceremony out.
  func take(_ id: CeremonyID) -> PendingCeremony? {
    state.withLock { (state) in state.take(id) }
  }

  /// Forgets those of an account, and those with a mark where one is given.
  func forget(of user: UserHandle, and mark: [UInt8] = []) {
    state.withLock { (state) in
      for ceremony in state.ceremonies.values
      where ceremony.user == user || (!mark.isEmpty && ceremony.payload.contains(mark)) {
        _ = state.take(ceremony.id)
      }
    }
  }

  /// Forgets at most so many that are too old; how many.
  func sweep(before time: Timestamp, limit: Int) -> Int {
    state.withLock { (state) in
      let old = state.ceremonies.values.lazy.filter { (ceremony) in ceremony.expiry < time }.prefix(limit).map(\.id)
      return Array(old).count { (id) in state.take(id) != nil }
    }
  }

  /// Takes everything out, and has no room from now on.
  func close() -> [PendingCeremony] {
    state.withLock { (state) in
      defer { state = State(isClosed: true) }
      return Array(state.ceremonies.values)
    }
  }

  /// The memory that a ceremony takes: its payload, and about as much again for what stands around it.
  static func size(of ceremony: PendingCeremony) -> Int {
    ceremony.payload.count + overhead
  }

  // Two identifiers, three arrays and a place in a table.
  private static let overhead = 256
}
