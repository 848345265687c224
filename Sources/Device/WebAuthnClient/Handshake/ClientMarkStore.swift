// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// A store of the marks by which servers recognize this client. Signing out removes none.
public protocol ClientMarkStore: Sendable {
  /// Returns the latest mark for a user, or the latest for any user if `user` is nil.
  func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark?

  /// Stores a mark. It replaces the one for the same server, profile and user.
  func keep(_ mark: ClientMark)
}

/// An in-memory store of marks.
public final class MemoryClientMarks: ClientMarkStore {
  private let marks = Locked<[ClientMark]>([])

  /// Creates an empty store.
  @usableFromInline package init() {}

  /// Returns the latest mark for a user, or the latest for any user if `user` is nil.
  public func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark? {
    marks.withLock { $0.last { $0.key.isFor(server, profile: profile, user: user) } }
  }

  /// Stores a mark. It replaces the one for the same server, profile and user.
  public func keep(_ mark: ClientMark) {
    marks.withLock { (marks) in
      marks.removeAll { $0.key == mark.key }
      marks.append(mark)
    }
  }
}
