// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Sessions, indexed by ID, token and owner, and their refresh tokens.
struct MemorySessions {
  private var byID: [AccountSessionID: (session: AccountSession, token: TokenDigest)] = [:]
  private var idsByToken: [TokenDigest: AccountSessionID] = [:]
  private var idsByUser: [UserHandle: [AccountSessionID]] = [:]
  private(set) var refreshTokens: [TokenDigest: RefreshToken] = [:]

  subscript(id: AccountSessionID) -> AccountSession? { byID[id]?.session }

  subscript(token: TokenDigest) -> AccountSession? { idsByToken[token].flatMap { byID[$0]?.session } }

  var all: some Sequence<AccountSession> { byID.values.lazy.map(\.session) }

  /// An account's sessions, oldest first.
  func all(of user: UserHandle) -> [AccountSession] {
    (idsByUser[user] ?? []).compactMap { byID[$0]?.session }
  }

  func checkUnused(_ opening: SessionOpening) throws(StorageError) {
    guard byID[opening.session.id] == nil, idsByToken[opening.token] == nil else {
      throw StorageError(.conflict, "session")
    }
    if let refresh = opening.refresh { try checkUnused(refresh) }
  }

  func checkUnused(_ token: RefreshToken) throws(StorageError) {
    guard refreshTokens[token.digest] == nil else { throw StorageError(.conflict, "refresh token") }
  }

  mutating func insert(_ opening: SessionOpening) {
    let session = opening.session
    byID[session.id] = (session, opening.token)
    idsByToken[opening.token] = session.id
    idsByUser[session.user, default: []].append(session.id)
    if let refresh = opening.refresh { refreshTokens[refresh.digest] = refresh }
  }

  /// Replaces a session whose owner is unchanged, and its token if one is given.
  mutating func replace(_ session: AccountSession, token: TokenDigest? = nil) {
    guard let old = byID[session.id] else { return }
    byID[session.id] = (session, token ?? old.token)
    guard let token else { return }
    idsByToken[old.token] = nil
    idsByToken[token] = session.id
  }

  /// Stores a spent refresh token and its successor.
  mutating func replace(_ spent: RefreshToken, with next: RefreshToken) {
    refreshTokens[spent.digest] = spent
    refreshTokens[next.digest] = next
  }

  mutating func remove(_ ids: Set<AccountSessionID>) {
    for id in ids {
      guard let (session, token) = byID.removeValue(forKey: id) else { continue }
      idsByToken[token] = nil
      idsByUser[session.user]?.removeAll { $0 == id }
      if idsByUser[session.user]?.isEmpty == true { idsByUser[session.user] = nil }
    }
    // Not every session has refresh tokens; filter them once for all ended sessions.
    refreshTokens = refreshTokens.filter { !ids.contains($0.value.session) }
  }

  mutating func remove(_ token: RefreshToken) {
    refreshTokens[token.digest] = nil
  }
}
