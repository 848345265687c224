// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// Ceremonies that have begun a moment ago, in the memory of the one server that has the database.
///
/// They are kept for minutes at the most, and most of them for seconds: to write each to a file and to delete it there would
/// be two of a sign-in's three writes. One that is here is nowhere else, so it is taken once. There are never more than
/// ``PendingCeremonies`` has room for, and the file never grows by them. Closing the storage writes the rest to the file; a
/// process that is killed takes them with it, and whoever was about to sign in begins again.
final class RecentCeremonies: Sendable {
  private struct State {
    var ceremonies: PendingCeremonies
    var isClosed = false
  }

  private let state: Locked<State>

  init(byteLimit: Int = BoundedCeremonies.byteLimit) {
    state = Locked(State(ceremonies: PendingCeremonies(byteLimit: byteLimit)))
  }

  /// Keeps a ceremony; false where the storage was closed.
  func keep(_ ceremony: PendingCeremony) throws(StorageError) -> Bool {
    try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed else { return false }
      try state.ceremonies.keep(ceremony)
      return true
    }
  }

  /// Takes a ceremony out.
  func take(_ id: CeremonyID) -> PendingCeremony? {
    state.withLock { (state) in state.ceremonies.take(id) }
  }

  /// Forgets those of an account, and those with a mark where one is given.
  func forget(of user: UserHandle, and mark: [UInt8] = []) {
    state.withLock { (state) in
      _ = state.ceremonies.remove { $0.user == user || (!mark.isEmpty && $0.payload.contains(mark)) }
    }
  }

  /// Forgets at most so many that are too old; how many.
  func sweep(before time: Timestamp, limit: Int) -> Int {
    state.withLock { (state) in state.ceremonies.remove(atMost: limit) { $0.expiry < time } }
  }

  /// Takes everything out, and keeps nothing from now on.
  func close() -> [PendingCeremony] {
    state.withLock { (state) in
      defer { state = State(ceremonies: PendingCeremonies(), isClosed: true) }
      return state.ceremonies.all
    }
  }
}
