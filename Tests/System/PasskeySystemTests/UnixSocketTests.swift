// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import Testing

struct UnixSocketTests {
  private let folder = TemporaryFolder()

  @Test func `bytes pass in both directions, and the end is reported`() throws {
    let listener = try UnixSocket.listen(at: folder("socket"))
    defer { listener.close() }
    let client = try UnixSocket.connect(to: folder("socket"))
    defer { client.close() }
    let server = try UnixSocket.accept(from: listener)
    try client.write([1, 2, 3])
    #expect(server.wait(for: .reading))
    #expect(try server.receive(upTo: 10) == [1, 2, 3])
    #expect(throws: SystemError.wouldBlock) { try server.receive(upTo: 10) }
    #expect(try server.send([4]) == 1)
    #expect(try client.read(upTo: 10) == [4])
    #expect(server.peerUserID == geteuid())
    #expect(fcntl(server.number, F_GETFD) & FD_CLOEXEC != 0)
    server.close()
    #expect(try client.read(upTo: 10) == [])
  }

  @Test func `a wake-up is taken once`() throws {
    let wakeUp = try WakeUp()
    #expect(!wakeUp.take())
    wakeUp.ring()
    #expect(wakeUp.take() && !wakeUp.take())
  }

  @Test func `only the user may connect`() throws {
    let listener = try UnixSocket.listen(at: folder("socket"))
    defer { listener.close() }
    let status = try FileStatus(ofFileAt: folder("socket"), followingLinks: false)
    #expect(status.kind == .socket)
    #expect(status.permissions == 0o600)
  }

  @Test func `a path without a listener refuses the connection`() throws {
    #expect(throws: SystemError.noSuchFile) { try UnixSocket.connect(to: folder("socket")) }
    try UnixSocket.listen(at: folder("socket")).close()
    #expect(throws: SystemError.connectionRefused) { try UnixSocket.connect(to: folder("socket")) }
  }

  @Test(arguments: [("", EINVAL), (String(repeating: "x", count: 108), ENAMETOOLONG)])
  func `a path that does not fit an address is an error`(path: String, number: Int32) {
    #expect(throws: SystemError(number: number)) { try UnixSocket.connect(to: path) }
  }

  @Test func `a broken connection is an error, not a signal`() throws {
    let (one, other) = try UnixSocket.pair()
    other.close()
    defer { one.close() }
    #expect(throws: SystemError.brokenPipe) { try one.send([1]) }
    #expect(throws: SystemError.brokenPipe) { try one.sendAll([1]) }
  }

  @Test func `sends more bytes than the socket takes at once`() async throws {
    let listener = try UnixSocket.listen(at: folder("socket"))
    defer { listener.close() }
    let client = try UnixSocket.connect(to: folder("socket"), sendTimeLimit: .seconds(600))
    let server = try UnixSocket.accept(from: listener)
    defer { server.close() }
    async let received = SystemThread.run { try? server.readToEnd(limit: 4 << 20) }
    let bytes = [UInt8](repeating: 7, count: 4 << 20)
    try client.sendAll(bytes)
    client.close()
    #expect(await received == bytes)
  }

  @Test func `sending to a peer that does not read ends after the time limit`() throws {
    let listener = try UnixSocket.listen(at: folder("socket"))
    defer { listener.close() }
    let client = try UnixSocket.connect(to: folder("socket"), sendTimeLimit: .milliseconds(20))
    defer { client.close() }
    #expect(throws: SystemError.wouldBlock) { try client.sendAll([UInt8](repeating: 7, count: 4 << 20)) }
  }

  @Test func `a wait ends at its deadline`() throws {
    let (one, other) = try UnixSocket.pair()
    defer {
      one.close()
      other.close()
    }
    #expect(!one.wait(for: .reading, until: .now + .milliseconds(10)))
    #expect(one.wait(for: .writing, until: .now - .seconds(1)))
  }

  @Test func `waiting for several descriptors reports the ready ones`() throws {
    let (one, other) = try UnixSocket.pair()
    let wakeUp = try WakeUp()
    defer {
      one.close()
      other.close()
    }
    wakeUp.ring()
    #expect(FileDescriptor.wait(for: [(one, .reading), (wakeUp.descriptor, .reading)]) == [false, true])
    wakeUp.clear()
    other.shutDown(.sending)
    #expect(FileDescriptor.wait(for: [(one, .reading), (wakeUp.descriptor, .reading)]) == [true, false])
  }

  @Test func `a full wake-up still wakes`() throws {
    let wakeUp = try WakeUp()
    for _ in 0..<100_000 { wakeUp.ring() }
    #expect(wakeUp.descriptor.wait(for: .reading, until: .now))
    wakeUp.clear()
    #expect(!wakeUp.descriptor.wait(for: .reading, until: .now))
  }
}
