// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

struct UnixSocketTests {
  @Test func `each end knows the user of the other`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    #expect(!listener.isReady(within: .zero))
    let client = try StreamTransport.connected(toUnixSocket: folder.path + "/socket")
    #expect(listener.isReady(within: .seconds(60)))
    let server = try #require(try listener.accept())
    #expect(client.peerUserID == geteuid())
    #expect(server.peerUserID == geteuid())
    try client.send([1, 2, 3])
    try client.send([])
    #expect(try server.receive(waitingAtMost: nil) == .frame([1, 2, 3]))
    #expect(try server.receive(waitingAtMost: nil) == .frame([]))
  }

  @Test func `a frame to a closed peer is an error, not a signal`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    let client = try StreamTransport.connected(toUnixSocket: folder.path + "/socket")
    #expect(try listener.accept() != nil)
    #expect(throws: TransportError(.writeFailed, "broken pipe")) { try client.send([1]) }
  }

  @Test func `a listener reports readable clients, and leaves new ones waiting on request`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    let clients = try (0..<3).map { (_) in try StreamTransport.connected(toUnixSocket: folder.path + "/socket") }
    let served = try (0..<2).map { (_) in try #require(try listener.accept()) }
    #expect(listener.wait(with: served, within: .zero) == (true, []))
    #expect(listener.wait(with: served, acceptsMore: false, within: .zero) == (false, []))
    try clients[1].send([1])
    #expect(listener.wait(with: served, acceptsMore: false, within: .seconds(60)) == (false, [1]))
  }

  @Test func `a folder locked by another process does not prevent listening`() throws {
    let folder = try TemporaryFolder()
    let lock = try OpenFile(folder.path, [.reading, .folder])
    try lock.lock()
    defer { lock.unlock() }
    let listener = try UnixListener(path: folder.path + "/socket")
    _ = try StreamTransport.connected(toUnixSocket: folder.path + "/socket")
    withExtendedLifetime(listener) {}
  }

  @Test func `a pipe has no peer user`() {
    #expect(StreamTransport(input: STDIN_FILENO, output: STDOUT_FILENO).peerUserID == nil)
  }

  @Test func `a socket without a listener is reported`() {
    #expect(throws: TransportError(.cannotConnect, "no such file or directory")) {
      try StreamTransport.connected(toUnixSocket: "/nowhere/socket")
    }
    #expect(throws: TransportError(.cannotConnect, "file name too long")) {
      try StreamTransport.connected(toUnixSocket: "/" + String(repeating: "a", count: 200))
    }
  }
}
