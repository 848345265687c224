// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// Recently begun ceremonies, in the memory of the only server that uses the database.
///
/// A ceremony lives for minutes at most, usually for seconds. Writing it to a file and deleting it there would be two
/// of a sign-in's three writes. A ceremony kept here is stored nowhere else, so it can be taken only once.
/// ``PendingCeremonies`` bounds their size, and the database file does not grow. Closing the storage writes the rest to
/// the file. If the process is killed they are lost, and the clients must restart their ceremonies.
final class RecentCeremonies: Sendable {
  private struct State {
    var ceremonies: PendingCeremonies
    var isClosed = false
  }

  private let state: Locked<State>

  init(byteLimit: Int = BoundedCeremonies.byteLimit) {
    state = Locked(State(ceremonies: PendingCeremonies(byteLimit: byteLimit)))
  }

  /// Keeps a ceremony. Returns false if the storage is closed.
  func store(_ ceremony: PendingCeremony) throws(StorageError) -> Bool {
    try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed else { return false }
      try state.ceremonies.store(ceremony)
      return true
    }
  }

  /// Removes and returns a ceremony.
  func take(_ id: CeremonyID) -> PendingCeremony? {
    state.withLock { (state) in state.ceremonies.take(id) }
  }

  /// Deletes the ceremonies of an account, and those whose payload contains one of the marks.
  func forget(of user: UserHandle, and marks: [[UInt8]] = []) {
    state.withLock { (state) in
      _ = state.ceremonies.remove { ceremony in
        ceremony.user == user || marks.contains { ceremony.payload.contains($0) }
      }
    }
  }

  /// Deletes at most `limit` expired ceremonies and returns their number.
  func sweep(before time: Timestamp, limit: Int) -> Int {
    state.withLock { (state) in state.ceremonies.remove(atMost: limit) { $0.expiry < time } }
  }

  /// Removes and returns all ceremonies, and refuses new ones from then on.
  func close() -> [PendingCeremony] {
    state.withLock { (state) in
      defer { state = State(ceremonies: PendingCeremonies(), isClosed: true) }
      return state.ceremonies.all
    }
  }
}
