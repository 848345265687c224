// SPDX-License-Identifier: Apache-2.0

import CommandLineTool
import Glibc
import TestSupport
import Testing
import WebAuthnClient
import WireFormats

@testable import passkey

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

  private func kept(passOver: (CommandFailure) -> Void = { _ in }) throws -> [ServerSession] {
    try store.sessions(at: ServerAddress("https://raxx.app"), "raxx", passOver: passOver)
  }

  @Test func `a new session replaces the same user's stored one, which is returned`() throws {
    defer { clear() }
    #expect(try store.keep(session("one")) == nil)
    #expect(try store.keep(session("bo", of: "bo@raxx.app")) == nil)
    #expect(try store.keep(session("two"))?.isShown(as: session("one")) == true)
    #expect(try Set(kept().map(\.json)) == [session("two").json, session("bo", of: "bo@raxx.app").json])
  }

  @Test func `a session is deleted, but not its successor`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    _ = try store.keep(session("two"))
    try store.forget(session("one"))
    #expect(try kept().map(\.json) == [session("two").json])
    try store.forget(session("two"))
    #expect(try kept().isEmpty)
    try store.forget(session("two"))
  }

  @Test func `signing out takes the currently stored session`() throws {
    defer { clear() }
    #expect(try store.take(session("one")) == session("one"))
    _ = try store.keep(session("two"))
    #expect(try store.take(session("one")).isShown(as: session("two")))
    #expect(try kept().isEmpty)
    #expect(try store.take(session("one")).isShown(as: session("one")))
  }

  @Test func `of concurrent stores each replaced session is returned to one caller`() async throws {
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

  @Test func `malformed sessions are reported and skipped, and the others work`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    let script = """
      cd sessions; cp -p *.json copy.json; mkdir dir.json .4194305.dead; ln -s /dev/null link.json; mkfifo -m 600 pipe.json
      printf '{' >garbage.json; printf '{"version":2}' >later.json; chmod 600 garbage.json later.json
      printf '{}' >others.json; chmod 644 others.json; head -c 70000 /dev/zero >large.json; chmod 600 large.json
      """
    #expect(try Shell.run(script, in: place.path).isEmpty)
    var passedOver: [CommandFailure] = []
    #expect(try kept { passedOver.append($0) }.map(\.json) == [session("one").json])
    for name in ["dir", "link", "pipe", "garbage", "later", "others", "large", "copy"] {
      #expect(passedOver.count { $0.message.contains("sessions/\(name).json\"") } == 1, "\(name)")
    }
    #expect(passedOver.count == 8)
    // None of these files prevents writing.
    _ = try store.keep(session("two"))
    #expect(try store.take(session("two")).isShown(as: session("two")))
  }

  @Test func `a foreign file in a session's place is replaced`() throws {
    defer { clear() }
    _ = try store.keep(session("one"))
    _ = try Shell.run("cd sessions; for f in *.json; do printf '{' >$f; done", in: place.path)
    #expect(try kept().isEmpty)
    #expect(try store.keep(session("two")) == nil)
    #expect(try kept().map(\.json) == [session("two").json])
    _ = try Shell.run("cd sessions; for f in *.json; do rm $f; mkdir $f; done", in: place.path)
    let failure = #expect(throws: CommandFailure.self) { try store.keep(session("three")) }
    #expect(failure?.message.hasSuffix("is a directory") == true)
  }

  @Test func `an unusable folder is detected before a session is opened`() throws {
    defer { clear() }
    try store.requireFolder()
    #expect(try Shell.run("ls", in: place.path).isEmpty)
    _ = unsafe mkdir(path, 0o755)
    #expect(throws: CommandFailure.self) { try store.requireFolder() }
  }

  @Test func `a session's expiry is described as far as it is known`() throws {
    func end(_ members: String) throws -> String {
      let json = #"{"version":1,"server":"https://raxx.app","profile":"raxx"\#(members)}"#
      return try ServerSession(json: [UInt8](json.utf8)[...]).ownEnd
    }
    #expect(try end("") == "will expire")
    #expect(try end(#","expiresAt":4102444800"#) == "expires at 2100-01-01T00:00:00Z at the latest")
    #expect(
      try end(#","expiresAt":4102444800,"refreshToken":"r","refreshExpiresAt":4133980800"#)
        == "expires at 2101-01-01T00:00:00Z at the latest")
    #expect(try end(#","expiresAt":1"#) == "has expired")
  }
}
