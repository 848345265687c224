// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// Keeps the marks by which servers know this client again. Signing out removes none.
public protocol ClientMarkStore: Sendable {
  /// Returns the latest mark for a user; without a user, the latest one for any.
  func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark?

  /// Keeps a mark in place of the one for the same server, profile and user.
  func keep(_ mark: ClientMark)
}

extension ClientMark {
  /// Whether the mark is for this server, this profile and this user, if one is given. Case does not count in addresses.
  public func isFor(_ server: ServerAddress, profile: String, user: String?) -> Bool {
    self.server == server && self.profile == profile && (user == nil || self.user?.lowercased() == user?.lowercased())
  }
}

/// Keeps marks for as long as the process lives.
public final class MemoryClientMarks: ClientMarkStore {
  private let marks = Locked<[ClientMark]>([])

  /// An empty store.
  public init() {}

  /// Returns the latest mark for a user; without a user, the latest one for any.
  public func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark? {
    marks.withLock { $0.last { $0.isFor(server, profile: profile, user: user) } }
  }

  /// Keeps a mark in place of the one for the same server, profile and user.
  public func keep(_ mark: ClientMark) {
    marks.withLock { (marks) in
      marks.removeAll {
        $0.server == mark.server && $0.profile == mark.profile && $0.user?.lowercased() == mark.user?.lowercased()
      }
      marks.append(mark)
    }
  }
}
