// SPDX-License-Identifier: Apache-2.0

import Glibc
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

  @Test func `a pipe has no user at its other end`() {
    #expect(StreamTransport(input: STDIN_FILENO, output: STDOUT_FILENO).peerUserID == nil)
  }

  @Test func `a socket where nobody listens is told`() {
    #expect(throws: TransportError(.cannotConnect, "no such file or directory")) {
      try StreamTransport.connected(toUnixSocket: "/nowhere/socket")
    }
    #expect(throws: TransportError(.cannotConnect, "the path is longer than a socket's may be")) {
      try StreamTransport.connected(toUnixSocket: "/" + String(repeating: "a", count: 200))
    }
  }
}
