// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator

/// `passkey authenticator --unix PATH --hid`.
struct SocketDeviceTests {
  private let folder: TemporaryFolder
  private let path: String
  private let program: PipedProgram

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/key"
    program = try PipedProgram("passkey", ["authenticator", "--memory", "--yes", "--hid", "--unix", path])
  }

  @Test func `an idle connection blocks no other, and each is a separate device`() async throws {
    try await waiting { try askWhileAnotherIsIdle() }
  }

  private func askWhileAnotherIsIdle() throws {
    // It serves its socket until a signal ends it.
    defer { kill(program.identifier, SIGTERM) }
    let idle = try connect()
    defer { close(idle) }
    for _ in 0..<3 {
      let connection = try connect()
      defer { close(connection) }
      let transport = StreamTransport(input: connection, output: connection)
      let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
      try transport.send(report([0xff, 0xff, 0xff, 0xff, 0x86, 0, 8] + nonce))
      guard case .frame(let answer) = try transport.receive(waitingAtMost: .seconds(600)) else {
        Issue.record("no answer to INIT")
        return
      }
      // The nonce, and the first channel of a new device.
      #expect(answer.dropFirst(8).prefix(8) == nonce[...])
      #expect(answer.dropFirst(16).prefix(4) == [0, 0, 0, 2])
    }
  }

  @Test func `SIGTERM removes the socket, even with an open connection`() async throws {
    try await waiting {
      let connection = try connect()
      defer { close(connection) }
      kill(program.identifier, SIGTERM)
      #expect(HangGuard.waits { !FileManager.default.fileExists(atPath: path) })
    }
  }

  private func report(_ packet: [UInt8]) -> Bytes {
    ([0x50] + packet + [UInt8](repeating: 0, count: 64 - packet.count))[...]
  }

  /// Connects as soon as the program listens.
  private func connect() throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { (room) in unsafe room.copyBytes(from: path.utf8) }
    let isConnected = HangGuard.waits {
      unsafe withUnsafePointer(to: &address) { (address) in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
          unsafe Glibc.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    }
    try #require(isConnected)
    return descriptor
  }
}
