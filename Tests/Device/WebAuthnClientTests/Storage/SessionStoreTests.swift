// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnClient

@Suite struct SessionStoreTests {
  private let place: TemporaryFolder
  private let path: String
  private let store: SessionStore

  init() throws {
    place = try TemporaryFolder()
    path = place.path + "/sessions"
    store = SessionStore(path: path)
  }

  private func clear() {
    _ = try? Shell.run("rm -rf sessions", in: place.path)
  }

  private func session(_ token: String, of user: String = "ada@raxx.app") throws -> ServerSession {
    let json = #"{"version":1,"server":"https://raxx.app","profile":"raxx","user":"\#(user)","token":"\#(token)"}"#
    return try ServerSession(json: [UInt8](json.utf8)[...])
  }

  private func kept(skip: (PrivateStoreError) -> Void = { _ in }) throws -> [ServerSession] {
    try store.sessions(at: ServerAddress("https://raxx.app"), profile: "raxx", skip: skip)
  }

  @Test func `storing a session returns the same user's previous one`() throws {
    defer { clear() }
    #expect(try store.keep(session("one")) == nil)
    #expect(try store.keep(session("bo", of: "bo@raxx.app")) == nil)
    #expect(try store.keep(session("two"))?.hasCredentials(of: session("one")) == true)
    #expect(try Set(kept().map(\.json)) == [session("two").json, session("bo", of: "bo@raxx.app").json])
  }

  @Test func `the latest sign-in comes first, also when another session is written again`() throws {
    defer { clear() }
    for (time, user) in [(7, "ada"), (7, "bo"), (9, "cy"), (8, "di"), (7, "ada")] as [(Int64, String)] {
      var session = try session(user, of: user)
      session.signedIn = UnixTime(secondsSince1970: time)
      _ = try store.keep(session)
      usleep(20_000)
    }
    #expect(try kept().map(\.user) == ["cy", "di", "ada", "bo"])
  }

  @Test func `forgetting a session leaves the one that has replaced it`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    _ = try store.keep(session("two"))
    try store.forget(session("one"))
    #expect(try kept().map(\.json) == [session("two").json])
    try store.forget(session("two"))
    #expect(try kept().isEmpty)
    try store.forget(session("two"))
  }

  @Test func `taking a session returns the one that has replaced it`() throws {
    defer { clear() }
    #expect(try store.take(session("one")) == session("one"))
    _ = try store.keep(session("two"))
    #expect(try store.take(session("one")).hasCredentials(of: session("two")))
    #expect(try kept().isEmpty)
    #expect(try store.take(session("one")).hasCredentials(of: session("one")))
  }

  @Test func `concurrent sign-ins return each replaced session exactly once`() async throws {
    defer { clear() }
    let store = store
    let tokens = (0..<20).map { "token-\($0)" }
    let replaced = try await withThrowingTaskGroup(of: ServerSession?.self) { (group) in
      for token in tokens {
        let session = try session(token)
        group.addTask { try store.keep(session) }
      }
      return try await group.reduce(into: []) { (all, one) in all.append(one) }
    }
    let given = replaced.compactMap(\.self) + (try kept())
    #expect(given.count == 20)
    #expect(try Set(given.map(\.json)) == Set(tokens.map { try session($0).json }))
  }

  @Test func `invalid files are reported and skipped`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    let script = """
      cd sessions; cp -p *.json copy.json; mkdir dir.json .4194305.dead; ln -s /dev/null link.json; mkfifo -m 600 pipe.json
      printf '{' >garbage.json; printf '{"version":2}' >later.json; chmod 600 garbage.json later.json
      printf '{}' >others.json; chmod 644 others.json; head -c 70000 /dev/zero >large.json; chmod 600 large.json
      """
    #expect(try Shell.run(script, in: place.path).isEmpty)
    var skipped: Set<PrivateStoreError> = []
    #expect(try kept { skipped.insert($0) }.map(\.json) == [session("one").json])
    func file(_ name: String) -> String { "\(path)/\(name).json" }
    #expect(
      skipped == [
        .folder(.fileNotPrivate(file("dir"))), .folder(.failed(.read, file("link"), .symbolicLink)),
        .folder(.fileNotPrivate(file("pipe"))), .malformed(file("garbage")), .malformed(file("later")),
        .folder(.fileNotPrivate(file("others"))), .folder(.fileTooLarge(file("large"))), .misplaced(file("copy")),
      ])
    // None of these files prevents writing.
    _ = try store.keep(session("two"))
    #expect(try store.take(session("two")).hasCredentials(of: session("two")))
  }

  @Test func `an invalid file in a session's place is replaced, a folder is not`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    _ = try Shell.run("cd sessions; for f in *.json; do printf '{' >$f; done", in: place.path)
    #expect(try kept().isEmpty)
    #expect(try store.keep(session("two")) == nil)
    #expect(try kept().map(\.json) == [session("two").json])
    _ = try Shell.run("cd sessions; for f in *.json; do rm $f; mkdir $f; done", in: place.path)
    let error = #expect(throws: PrivateStoreError.self) { try store.keep(session("three")) }
    guard case .folder(.failed(.write, _, SystemError(number: EISDIR)))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an unusable folder is reported before a session is opened, and no folder is created`() throws {
    defer { clear() }
    try store.requireFolder()
    #expect(try Shell.run("ls", in: place.path).isEmpty)
    _ = unsafe mkdir(path, 0o755)
    #expect(throws: PrivateStoreError.folder(.folderNotPrivate(path))) { try store.requireFolder() }
    #expect(throws: PrivateStoreError.folderUnknown) { try SessionStore(path: nil).requireFolder() }
  }
}
