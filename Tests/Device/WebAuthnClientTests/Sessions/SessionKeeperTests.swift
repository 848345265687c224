// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnClient

@Suite struct SessionKeeperTests {
  private let place: TemporaryFolder
  private let store: SessionStore
  private let notices = Locked<[String]>([])

  init() throws {
    place = try TemporaryFolder()
    store = SessionStore(path: place.path + "/sessions")
  }

  private func clear() {
    _ = try? Shell.run("rm -rf sessions", in: place.path)
  }

  /// Returns a keeper whose clock shows 1000 seconds since 1970.
  private func keeper(_ server: FaultServer, user: String? = nil, isStored: Bool = true) throws -> SessionKeeper {
    SessionKeeper(
      try PasskeyOwner().handshake(.raxx, at: server.address), store: isStored ? store : nil, user: user,
      now: { UnixTime(secondsSince1970: 1000) },
      report: { [notices] (notice) in notices.withLock { (notices) in notices.append("\(notice)") } })
  }

  private func session(
    _ server: FaultServer, of user: String, token: String = "t1", _ members: String = ""
  ) throws -> ServerSession {
    let json = """
      {"version":1,"server":"\(server.address)","profile":"raxx","user":"\(user)","token":"\(token)"\(members)}
      """
    return try ServerSession(json: [UInt8](json.utf8)[...])
  }

  @Test func `the latest sign-in is the default, and a user can be selected`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer())
    for (time, user) in [(7, "ada"), (9, "bo"), (8, "cy")] as [(Int64, String)] {
      var session = try session(server, of: user)
      session.signedIn = UnixTime(secondsSince1970: time)
      _ = try store.keep(session)
    }
    #expect(try await keeper(server).session().user == "bo")
    #expect(try await keeper(server, user: "ADA").session().user == "ada")
    let error = await #expect(throws: SessionError.self) { try await keeper(server, user: "di").session() }
    guard case .notSignedIn? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a session whose user must be verified again stays`() async throws {
    defer { clear() }
    let server = try FaultServer(
      .answer("401 Unauthorized", #"{"code":"session.verification-required"}"#, "WWW-Authenticate: Bearer\r\n"))
    _ = try store.keep(try session(server, of: "ada"))
    let keeper = try keeper(server)
    let session = try await keeper.session()
    await #expect(throws: SessionError.self) {
      try await keeper.perform(in: session) { (session) async throws(ClientError) in
        try await keeper.handshake.whoAmI(in: &session)
      }
    }
    #expect(keeper.current == session)
  }

  @Test func `tasks that wait for the lock of the store leave Swift's threads to others`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer())
    let known = try session(server, of: "ada")
    _ = try store.keep(known)
    let lock = try PrivateFolder(creating: place.path + "/sessions", limit: 1 << 16)
    try lock.lock()
    let isReleased = Locked(false)
    // Ends the test if the other tasks never run.
    let watchdog = SystemThread.start {
      if isReleased.wait(until: .now + .seconds(HangGuard.seconds), for: { $0 ? true : nil }) == nil { lock.unlock() }
    }
    #expect(watchdog)
    let keeper = try keeper(server)
    await withTaskGroup(of: Void.self) { (group) in
      // More tasks than Swift has threads.
      for _ in 0..<64 {
        group.addTask { try? await keeper.forget(known) }
      }
      group.addTask {
        for _ in 0..<1000 { await Task.yield() }
        isReleased.update { (isReleased) in isReleased = true }
        lock.unlock()
      }
    }
    #expect(isReleased.withLock { $0 })
    #expect(try store.sessions(at: ServerAddress(server.address), profile: "raxx").isEmpty)
  }

  @Test func `an expired session is used only if there is no other`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer())
    var expired = try session(server, of: "ada", #","expiresAt":999"#)
    expired.signedIn = UnixTime(secondsSince1970: 900)
    _ = try store.keep(expired)
    #expect(try await keeper(server).session().user == "ada")
    _ = try store.keep(session(server, of: "bo"))
    #expect(try await keeper(server).session().user == "bo")
  }

  @Test func `a new session is stored with its time, and the one that it replaces is ended`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer())
    _ = try store.keep(session(server, of: "ada"))
    let keeper = try keeper(server)
    try await keeper.begin(session(server, of: "ada", token: "t2"))
    #expect(server.requests.map { $0.hasPrefix("POST /api/auth/logout HTTP/1.1\r\n") } == [true])
    #expect(server.requests.first?.contains("Bearer t1") == true)
    #expect(
      try store.sessions(at: ServerAddress(server.address), profile: "raxx").map(\.signedIn)
        == [UnixTime(secondsSince1970: 1000)])
    #expect(notices.withLock { (notices) in notices.isEmpty })
  }

  @Test func `a session that cannot be stored serves this process, and ends with it`() async throws {
    let server = try FaultServer(.answer())
    let keeper = SessionKeeper(
      try PasskeyOwner().handshake(.raxx, at: server.address), store: SessionStore(path: nil), user: nil,
      now: { UnixTime(secondsSince1970: 1000) }, report: { (_) in })
    let error = await #expect(throws: SessionError.self) { try await keeper.begin(session(server, of: "ada")) }
    guard case .notStored(.folderUnknown)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(keeper.current?.user == "ada")
    await keeper.close()
    #expect(server.requests.count == 1)
  }

  @Test func `a session that the server refuses is forgotten`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer("401 Unauthorized", #"{"code":"session.expired"}"#))
    _ = try store.keep(session(server, of: "ada"))
    let keeper = try keeper(server)
    let session = try await keeper.session()
    await #expect(throws: SessionError.self) {
      try await keeper.perform(in: session) { (session) async throws(ClientError) in
        try await keeper.handshake.whoAmI(in: &session).account.address
      }
    }
    #expect(keeper.current == nil && keeper.hasEnded)
    #expect(try store.sessions(at: ServerAddress(server.address), profile: "raxx").isEmpty)
  }

  @Test func `a request is sent again if another process has renewed the session`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer("401 Unauthorized", #"{"code":"session.unknown"}"#))
    let renewable = #","refreshToken":"r1","signedInAt":900"#
    _ = try store.keep(session(server, of: "ada", renewable))
    let keeper = try keeper(server)
    let session = try await keeper.session()
    _ = try store.keep(self.session(server, of: "ada", token: "t2", renewable))
    await #expect(throws: SessionError.self) {
      try await keeper.perform(in: session) { (session) async throws(ClientError) in
        try await keeper.handshake.whoAmI(in: &session).account.address
      }
    }
    #expect(server.requests.map { $0.contains("Bearer t1") } == [true, false])
    #expect(server.requests.last?.contains("Bearer t2") == true)
    #expect(try store.sessions(at: ServerAddress(server.address), profile: "raxx").isEmpty)
  }

  @Test func `a write without a connection is not sent`() async throws {
    let server = try FaultServer(.reply("", then: .reset))
    let keeper = try keeper(server, isStored: false)
    try await keeper.begin(session(server, of: "ada"))
    let session = try await keeper.session()
    for writes in [false, true] {
      let error = await #expect(throws: SessionError.self) {
        try await keeper.perform(in: session, writes: writes) { (session) async throws(ClientError) in
          try await keeper.handshake.revokeSession("x", in: &session)
        }
      }
      guard case .failed(let cause)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(cause.code == (writes ? .writingNotAllowed : .connectionReset))
    }
    #expect(keeper.isOffline && keeper.hasBegunWrite)
    #expect(server.requests.count == 1)
  }

  @Test func `a change that the server makes to a session is stored`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer("200 OK", "{}", "Session-Expires-At: 2029-01-01T00:00:00Z\r\n"))
    _ = try store.keep(session(server, of: "ada"))
    let keeper = try keeper(server)
    let session = try await keeper.session()
    _ = try await keeper.perform(in: session) { (session) async throws(ClientError) in
      try await keeper.handshake.send(method: "GET", path: "/api/portfolio", in: &session)
    }
    let stored = try store.sessions(at: ServerAddress(server.address), profile: "raxx")
    #expect(stored.map(\.expiry) == [try UnixTime(rfc3339: "2029-01-01T00:00:00Z")])
    #expect(keeper.current == stored.first)
  }

  @Test func `a session that expires soon is renewed, and other processes use the renewed one`() async throws {
    defer { clear() }
    let renewal = #"{"token":"t2","refreshToken":"r2","expiresAt":"2029-01-01T00:00:00Z","user":{}}"#
    let server = try FaultServer(.answer("200 OK", renewal))
    let soon = #","expiresAt":1020,"refreshToken":"r1","signedInAt":7"#
    _ = try store.keep(session(server, of: "ada", soon))
    let (first, second) = (try keeper(server), try keeper(server))
    let renewed = try await first.session()
    #expect(renewed.expiry == (try UnixTime(rfc3339: "2029-01-01T00:00:00Z")))
    #expect(renewed.signedIn == UnixTime(secondsSince1970: 7))
    #expect(try await second.session() == renewed)
    #expect(server.requests.count == 1)
  }

  @Test func `signing out deletes the session here, even if the server fails`() async throws {
    defer { clear() }
    let server = try FaultServer(.answer("500 Internal Server Error"))
    _ = try store.keep(session(server, of: "ada"))
    let keeper = try keeper(server)
    let error = await #expect(throws: SessionError.self) { try await keeper.signOut() }
    guard case .notEnded(let session, _, undeleted: nil)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(session.user == "ada" && keeper.current == nil)
    #expect(try store.sessions(at: ServerAddress(server.address), profile: "raxx").isEmpty)
  }

  @Test func `the account has the session's user if the server does not name one`() async throws {
    let server = try FaultServer(.answer())
    let keeper = try keeper(server, isStored: false)
    var session = try session(server, of: "ada")
    #expect(try await keeper.handshake.whoAmI(in: &session).account.address == "ada")
  }
}
