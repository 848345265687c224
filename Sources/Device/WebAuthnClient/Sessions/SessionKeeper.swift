// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeySystem
package import WebAuthnBrowser

/// The session of a program with one server: finds, renews, stores and ends it.
///
/// A session is stored in a ``SessionStore`` that all processes of a user share, or in memory only. Several tasks may
/// share a keeper: one that waits for the store's lock blocks a thread of its own, not one of Swift's pool. Without a store,
/// only one task at a time may use a session that can be renewed.
package final class SessionKeeper: Sendable {
  /// The requests to the server. The keeper itself performs no ceremony.
  package let handshake: Handshake
  private let store: SessionStore?
  private let user: String?
  private let now: @Sendable () -> UnixTime
  private let report: @Sendable (SessionNotice) -> Void
  private let state = Locked(State())

  private struct State {
    var session: ServerSession?
    /// Whether the session was opened in this process and is not in the store.
    var isUnstored = false
    var hasEnded = false
    var hasBegunWrite = false
    var offline = OfflineState()
  }

  /// Creates a keeper.
  ///
  /// - Parameters:
  ///   - handshake: The requests to the server.
  ///   - store: Where sessions are stored; nil keeps them in memory.
  ///   - user: Whose stored session to use; nil selects the latest sign-in.
  ///   - now: The current time.
  ///   - report: Receives events that do not fail the operation, for the user.
  package init(
    _ handshake: Handshake, store: SessionStore?, user: String?, now: @escaping @Sendable () -> UnixTime,
    report: @escaping @Sendable (SessionNotice) -> Void
  ) {
    self.handshake = handshake
    self.store = store
    self.user = user
    self.now = now
    self.report = report
  }

  // MARK: State

  /// The session in memory. The store is not read.
  package var current: ServerSession? { state.withLock { (state) in state.session } }

  /// Whether a session ended in this process. Afterwards only an explicit sign-in should open another.
  package var hasEnded: Bool { state.withLock { (state) in state.hasEnded } }

  /// Whether a write or a ceremony has begun, so that its outcome must be reported.
  package var hasBegunWrite: Bool { state.withLock { (state) in state.hasBegunWrite } }

  /// Whether the last request could not reach the server.
  package var isOffline: Bool { state.withLock { (state) in state.offline.isOffline } }

  /// Stores the content of a read in memory.
  package func remember(_ body: [UInt8], of path: String) {
    let now = now()
    state.withLock { (state) in state.offline.succeeded(reading: path, body, at: now) }
  }

  /// Returns the last content that this process read, and its banner, if there is no connection.
  package func last(of path: String, secondsFromUTC: Int) -> (banner: String, body: [UInt8])? {
    state.withLock { (state) in state.offline.last(of: path, secondsFromUTC: secondsFromUTC) }
  }

  // MARK: Finding and using a session

  /// Returns the session in memory or the stored one. Renews it first if it expires soon.
  package func session() async throws(SessionError) -> ServerSession {
    let session = try await knownSession()
    guard session.isRenewable, session.endsSoon(at: now(), within: .seconds(30)) else { return session }
    return try await renewed(session)
  }

  /// Returns the session in memory or the store, without asking the server.
  private func knownSession() async throws(SessionError) -> ServerSession {
    if let current { return current }
    guard let store else { throw .notSignedIn }
    let (server, profile, report) = (handshake.http.server, handshake.profile.name, report)
    let sessions = try await mapError(
      async: await store.perform { (store) throws(PrivateStoreError) in
        try store.sessions(at: server, profile: profile) { (error) in report(.skipped(error)) }
      }, SessionError.store)
    let stored = sessions.filter { (session) in session.key.isFor(server, profile: profile, user: user) }
    let now = now()
    let live = stored.first { (session) in session.isRenewable || session.secondsLeft(at: now) != 0 }
    guard let session = live ?? stored.first else { throw .notSignedIn }
    state.withLock { (state) in state.session = session }
    return session
  }

  /// Runs an operation in a session. Stores changes to the session even if the operation fails. Forgets the session if
  /// the server no longer accepts it, unless another process has renewed it in the meantime: then runs the operation again
  /// in the renewed session, because the server has not carried it out. With `writes`, throws if there is no connection.
  package func perform<Value: Sendable>(
    in session: ServerSession, writes: Bool = false,
    _ body: (inout ServerSession) async throws(ClientError) -> Value
  ) async throws(SessionError) -> Value {
    var changed = session
    do throws(ClientError) {
      if writes {
        noteWrite()
        try state.withLock { (state) throws(ClientError) in try state.offline.requireWriting() }
      }
      let value = try await body(&changed)
      noteAnswer()
      await keep(changed, inPlaceOf: session)
      return value
    } catch {
      note(error)
      if error.problem?.refusesSession == true {
        if let renewed = await renewedElsewhere(session) { return try await perform(in: renewed, writes: writes, body) }
        try await forget(session)
      } else {
        await keep(changed, inPlaceOf: session)
      }
      throw .failed(error)
    }
  }

  /// Returns the stored session, and uses it from now on, if another process has renewed this one. A session of a later
  /// sign-in is left alone.
  private func renewedElsewhere(_ session: ServerSession) async -> ServerSession? {
    guard session.isRenewable, let store else { return nil }
    let found = try? await store.perform { (store) throws(PrivateStoreError) -> ServerSession? in
      let opened = try store.opened()
      defer { opened.close() }
      return opened.current(session)
    }
    guard let stored = found ?? nil, stored.signedIn == session.signedIn,
      !stored.hasCredentials(of: session)
    else { return nil }
    state.withLock { (state) in state.session = stored }
    return stored
  }

  /// Runs a registration or a sign-in, outside of any session.
  package func perform<Value>(
    _ ceremony: () async throws(ClientError) -> Value
  ) async throws(SessionError) -> Value {
    noteWrite()
    do throws(ClientError) {
      let value = try await ceremony()
      noteAnswer()
      return value
    } catch {
      note(error)
      throw .failed(error)
    }
  }

  /// Stores a changed session. The operation has already succeeded, so a failure here is only reported.
  private func keep(_ session: ServerSession, inPlaceOf before: ServerSession) async {
    guard session != before else { return }
    let isUnstored = state.withLock { (state) in
      if state.session == before { state.session = session }
      return state.isUnstored
    }
    guard let store, !isUnstored else { return }
    do throws(PrivateStoreError) {
      try await store.perform { (store) throws(PrivateStoreError) in
        let store = try store.opened()
        defer { store.close() }
        // Another process may have renewed the session or signed out in the meantime.
        if store.current(before) == before { try store.write(session) }
      }
    } catch {
      report(.changeNotStored(error))
    }
  }

  /// Records that a write or a ceremony begins, for ``hasBegunWrite``. The other methods do so themselves.
  package func noteWrite() {
    state.withLock { (state) in state.hasBegunWrite = true }
  }

  private func noteAnswer() {
    state.withLock { (state) in state.offline.answered() }
  }

  private func note(_ error: ClientError) {
    state.withLock { (state) in state.offline.failed(with: error) }
  }

  // MARK: Opening and renewing

  /// Throws if a session could not be stored. Call it before a ceremony that opens one.
  package func requireStore() throws(SessionError) {
    guard let store else { return }
    try mapError(store.requireFolder(), SessionError.store)
  }

  /// Stores a new session and ends the one that it replaces, whose token is no longer stored anywhere.
  ///
  /// - Throws: ``SessionError/notStored(_:)`` if the session cannot be stored. This process can still use it.
  package func begin(_ opened: ServerSession) async throws(SessionError) {
    var session = opened
    session.signedIn = now()
    let former = state.withLock { [session] (state) in
      // Do not show one user's data to another.
      if let before = state.session, before.user != session.user { state.offline.forget() }
      defer {
        state.session = session
        state.isUnstored = true
        state.hasEnded = false
      }
      return state.isUnstored ? state.session : nil
    }
    var replaced = [former]
    if let store {
      replaced.append(
        try await mapError(
          async: await store.perform { [session] (store) throws(PrivateStoreError) in try store.keep(session) },
          SessionError.notStored))
      state.withLock { (state) in state.isUnstored = false }
    }
    for former in replaced.compactMap(\.self) where !former.hasCredentials(of: session) { await end(replaced: former) }
  }

  /// Ends a replaced session at the server. Reports it if it may still be open.
  private func end(replaced former: ServerSession) async {
    guard former.isRenewable || former.secondsLeft(at: now()) != 0 else { return }
    do throws(ClientError) {
      try await endAtServer(former)
    } catch {
      // A server without a sign-out endpoint leaves nothing to report.
      if error.code != .endpointMissing { report(.previousNotEnded(former, error)) }
    }
  }

  /// Renews a session. Processes take turns, because a refresh token can be used only once.
  private func renewed(_ session: ServerSession) async throws(SessionError) -> ServerSession {
    guard let store else { return try await renew(session, in: nil) }
    let opened = try await mapError(
      async: await store.perform { (store) throws(PrivateStoreError) in try store.opened() }, SessionError.store)
    defer { opened.close() }
    guard let stored = opened.current(session) else {
      forgetInMemory()
      throw .endedElsewhere(session)
    }
    guard stored == session else {
      state.withLock { (state) in state.session = stored }
      return stored
    }
    return try await renew(session, in: opened)
  }

  private func renew(
    _ session: ServerSession, in store: OpenPrivateStore<ServerSession>?
  ) async throws(SessionError) -> ServerSession {
    noteWrite()
    var renewed = session
    do throws(ClientError) {
      try await handshake.refresh(&renewed)
      noteAnswer()
    } catch {
      note(error)
      if error.problem?.refusesSession == true {
        forgetInMemory()
        if let store { try mapError(store.forget(session), SessionError.store) }
      }
      throw .notRenewed(error)
    }
    state.withLock { [renewed] (state) in (state.session, state.isUnstored) = (renewed, true) }
    guard let store else { return renewed }
    try mapError(store.write(renewed), SessionError.store)
    state.withLock { (state) in state.isUnstored = false }
    return renewed
  }

  // MARK: Ending

  /// Deletes a session locally, without signing out at the server.
  package func forget(_ session: ServerSession) async throws(SessionError) {
    forgetInMemory()
    guard let store else { return }
    try await mapError(
      async: await store.perform { (store) throws(PrivateStoreError) in try store.forget(session) }, SessionError.store)
  }

  private func forgetInMemory() {
    state.withLock { (state) in
      state.session = nil
      state.isUnstored = false
      state.hasEnded = true
      state.offline.forget()
    }
  }

  /// Deletes the current session locally, even if the server fails, and ends it at the server. Returns that session.
  package func signOut() async throws(SessionError) -> ServerSession {
    var session = try await knownSession()
    forgetInMemory()
    // If the token cannot be deleted here, revoking it at the server is even more important.
    var undeleted: PrivateStoreError?
    do throws(PrivateStoreError) {
      if let store {
        session = try await store.perform { [session] (store) throws(PrivateStoreError) in try store.take(session) }
      }
    } catch {
      undeleted = error
    }
    do throws(ClientError) {
      try await endAtServer(session)
      noteAnswer()
    } catch {
      note(error)
      throw .notEnded(session, error, undeleted: undeleted)
    }
    if let undeleted { throw .store(undeleted) }
    return session
  }

  /// Ends a session that only this process has, and closes the network connections.
  package func close() async {
    let session = state.withLock { (state) in state.isUnstored ? state.session : nil }
    if let session { try? await endAtServer(session) }
    await handshake.http.close()
  }

  private func endAtServer(_ session: ServerSession) async throws(ClientError) {
    noteWrite()
    do throws(ClientError) {
      var session = session
      // A refresh token could still renew an expired session. Only a renewed session can be ended.
      if session.isRenewable, session.secondsLeft(at: now()) == 0 { try await handshake.refresh(&session) }
      try await handshake.signOut(of: session)
    } catch {
      // On 401 the session no longer exists at the server.
      if error.problem?.status != 401 { throw error }
    }
  }
}

/// An event of a ``SessionKeeper`` that does not fail the operation.
package enum SessionNotice: Sendable {
  /// A file in the store was skipped.
  case skipped(PrivateStoreError)
  /// The replaced session could not be ended at the server.
  case previousNotEnded(ServerSession, ClientError)
  /// A change that the server made to the session could not be stored.
  case changeNotStored(PrivateStoreError)
}

/// An error of a ``SessionKeeper``.
package enum SessionError: Error, Sendable {
  /// The user, or any user if none was selected, is not signed in.
  case notSignedIn
  /// Another process has ended the session.
  case endedElsewhere(ServerSession)
  /// The session could not be renewed.
  case notRenewed(ClientError)
  /// The session was deleted locally, unless `undeleted` says otherwise, and could not be ended at the server.
  case notEnded(ServerSession, ClientError, undeleted: PrivateStoreError?)
  /// A new session could not be stored. It ends with this process.
  case notStored(PrivateStoreError)
  /// The store cannot be read or written.
  case store(PrivateStoreError)
  /// The request or the ceremony failed.
  case failed(ClientError)
}
