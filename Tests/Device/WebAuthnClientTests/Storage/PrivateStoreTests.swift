// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// Sessions, client marks and verifications are stored alike.
@Suite struct PrivateStoreTests {
  private let place: TemporaryFolder
  private let path: String
  private let server: ServerAddress

  init() throws {
    place = try TemporaryFolder()
    path = place.path + "/values"
    server = try ServerAddress("https://raxx.app")
  }

  private func clear() {
    _ = try? Shell.run("rm -rf values", in: place.path)
  }

  private func value<Value: PrivateValue>(
    _ user: String?, _ secret: String, at server: String = "https://raxx.app"
  ) throws -> Value {
    let user = user.map { #""user":"\#($0)","# } ?? ""
    let json =
      #"{"version":1,"server":"\#(server)","profile":"raxx",\#(user)"token":"\#(secret)","mark":"\#(secret)"}"#
    return try Value(json: Array(json.utf8)[...])
  }

  private func checkStore<Value: PrivateValue>(of type: Value.Type) throws {
    let store = PrivateStore<Value>(path: path)
    func value(_ user: String?, _ secret: String, at server: String = "https://raxx.app") throws -> Value {
      try self.value(user, secret, at: server)
    }
    #expect(store.value(at: server, profile: "raxx", user: nil) == nil)
    #expect(try store.keep(value("ada", "one")) == nil)
    #expect(try store.keep(value("bo", "bo", at: "https://other.example")) == nil)
    #expect(try Shell.run("stat -c %a values values/*", in: place.path) == "700\n600\n600\n")
    #expect(try store.value(at: server, profile: "raxx", user: "ADA") == value("ada", "one"))
    #expect(try store.value(at: server, profile: "raxx", user: nil) == value("ada", "one"))
    #expect(store.value(at: server, profile: "raxx", user: "bo") == nil)
    #expect(store.value(at: server, profile: "yapt", user: "ada") == nil)

    // One file for all spellings of a name.
    #expect(try store.keep(value("Ada", "two")) == value("ada", "one"))
    #expect(try store.values(at: server, profile: "raxx") == [value("Ada", "two")])
    #expect(try store.keep(value("e\u{301}va", "three")) == nil)
    #expect(try store.keep(value("\u{c9}VA", "four")) == value("e\u{301}va", "three"))
    #expect(try store.value(at: server, profile: "raxx", user: "\u{e9}va") == value("\u{c9}VA", "four"))

    // A replaced value is not deleted.
    try store.forget(value("ada", "one"))
    #expect(try store.value(at: server, profile: "raxx", user: "ada") == value("Ada", "two"))
    try store.forget(value("Ada", "two"))
    #expect(store.value(at: server, profile: "raxx", user: "ada") == nil)
    #expect(try store.keep(value(nil, "nobody")) == nil)
    #expect(try store.take(value(nil, "other")) == value(nil, "nobody"))

    // The draft of a killed process is removed by the next change.
    _ = try Shell.run("umask 077; : >values/.4194305.dead", in: place.path)
    #expect(try store.keep(value("ada", "five")) == nil)
    #expect(try Shell.run("ls -A values | grep -c dead; true", in: place.path) == "0\n")
    clear()
  }

  @Test func `sessions are stored for one user of one server`() throws { try checkStore(of: ServerSession.self) }

  @Test func `client marks are stored for one user of one server`() throws { try checkStore(of: ClientMark.self) }

  @Test func `verifications are stored for one user of one server`() throws {
    try checkStore(of: AddressVerification.self)
  }

  @Test func `concurrent changes return each replaced value exactly once`() async throws {
    defer { clear() }
    let store = PrivateStore<ClientMark>(path: path)
    let marks: [ClientMark] = try (0..<20).map { try value($0.isMultiple(of: 2) ? "ada" : "Ada", "mark-\($0)") }
    let replaced = try await withThrowingTaskGroup(of: ClientMark?.self) { (group) in
      for mark in marks { group.addTask { try store.keep(mark) } }
      return try await group.reduce(into: []) { (all, one) in all.append(one) }
    }
    let all = try replaced.compactMap(\.self) + store.values(at: server, profile: "raxx")
    #expect(all.count == 20 && Set(all.map(\.json)) == Set(marks.map(\.json)))
  }

  @Test func `a file in another's place is not read`() throws {
    defer { clear() }
    let store = PrivateStore<ClientMark>(path: path)
    try store.keep(value("ada", "one"))
    let bo = AccountKey(server: server, profile: "raxx", user: "bo").fileName
    _ = try Shell.run("cd values; mv *.json \(bo)", in: place.path)
    #expect(store.value(at: server, profile: "raxx", user: "bo") == nil)
    #expect(store.value(at: server, profile: "raxx", user: nil) == nil)
    var skipped: [PrivateStoreError] = []
    #expect(try store.values(at: server, profile: "raxx") { skipped.append($0) }.isEmpty)
    #expect(skipped == [.misplaced("\(path)/\(bo)")])
  }
}
