// SPDX-License-Identifier: Apache-2.0

import Glibc
import SystemIO
import TestSupport
import Testing

@testable import WebAuthnAuthenticator

struct UnixSocketTests {
  @Test func `both ends know whose the other one is`() throws {
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

  @Test func `a frame to a peer that has left is an error, and no signal`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    let client = try StreamTransport.connected(toUnixSocket: folder.path + "/socket")
    #expect(try listener.accept() != nil)
    #expect(throws: TransportError(.writeFailed, "broken pipe")) { try client.send([1]) }
  }

  @Test func `a listener says who can be read, and leaves new clients waiting where it is told to`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    let clients = try (0..<3).map { (_) in try StreamTransport.connected(toUnixSocket: folder.path + "/socket") }
    let served = try (0..<2).map { (_) in try #require(try listener.accept()) }
    #expect(listener.wait(with: served, within: .zero) == (true, []))
    #expect(listener.wait(with: served, acceptsMore: false, within: .zero) == (false, []))
    try clients[1].send([1])
    #expect(listener.wait(with: served, acceptsMore: false, within: .seconds(60)) == (false, [1]))
  }

  @Test func `a folder that another process keeps locked does not keep a listener from its socket`() throws {
    let folder = try TemporaryFolder()
    let lock = try OpenFile(folder.path, [.reading, .folder])
    try lock.lock()
    defer { lock.unlock() }
    let listener = try UnixListener(path: folder.path + "/socket")
    _ = try StreamTransport.connected(toUnixSocket: folder.path + "/socket")
    withExtendedLifetime(listener) {}
  }

  @Test func `a pipe has no user at its other end`() {
    #expect(StreamTransport(input: STDIN_FILENO, output: STDOUT_FILENO).peerUserID == nil)
  }

  @Test func `a socket where nobody listens is told`() {
    #expect(throws: TransportError(.cannotConnect, "no such file or directory")) {
      try StreamTransport.connected(toUnixSocket: "/nowhere/socket")
    }
    #expect(throws: TransportError(.cannotConnect, "file name too long")) {
      try StreamTransport.connected(toUnixSocket: "/" + String(repeating: "a", count: 200))
    }
  }
}
