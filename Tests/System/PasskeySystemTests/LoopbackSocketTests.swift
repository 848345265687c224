// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import Testing

struct LoopbackSocketTests {
  /// Connects to a port of this machine.
  private static func connect(to port: UInt16) throws -> FileDescriptor {
    let client = FileDescriptor(number: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe Glibc.connect(client.number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return client
  }

  @Test func `clients of this machine connect at the port, which the system can choose`() throws {
    let (listener, port) = try LoopbackSocket.listen(at: 0)
    defer { listener.close() }
    #expect(port != 0 && fcntl(listener.number, F_GETFD) & FD_CLOEXEC != 0)
    let client = try Self.connect(to: port)
    defer { client.close() }
    let server = try LoopbackSocket.accept(from: listener)
    defer { server.close() }
    try client.write([1, 2])
    #expect(server.wait(for: .reading))
    #expect(try server.receive(upTo: 4) == [1, 2])
    #expect(fcntl(server.number, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func `a taken port is an error, and a port whose connections ended is free`() throws {
    let (listener, port) = try LoopbackSocket.listen(at: 0)
    #expect(throws: SystemError(number: EADDRINUSE)) { try LoopbackSocket.listen(at: port) }
    let client = try Self.connect(to: port)
    let server = try LoopbackSocket.accept(from: listener)
    // The side that closes first keeps the port in TIME_WAIT.
    server.close()
    client.close()
    listener.close()
    let (again, samePort) = try LoopbackSocket.listen(at: port)
    #expect(samePort == port)
    again.close()
  }
}
