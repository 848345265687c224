// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

struct UnixListenerTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/socket" }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `frames pass in both directions`() throws {
    let listener = try UnixListener(path: path)
    let client = try connect()
    defer { close(client) }
    let served = try #require(try listener.accept())
    let plugged = StreamTransport(input: client, output: client)
    try plugged.send([1, 2, 3])
    #expect(try served.receive(waitingAtMost: .seconds(600)) == .frame([1, 2, 3]))
    try served.send([4])
    #expect(try plugged.receive(waitingAtMost: .seconds(600)) == .frame([4]))
  }

  @Test func `a released connection is closed`() throws {
    let listener = try UnixListener(path: path)
    let client = try connect()
    defer { close(client) }
    #expect(try listener.accept() != nil)
    let plugged = StreamTransport(input: client, output: client)
    #expect(try plugged.receive(waitingAtMost: .seconds(600)) == .end)
  }

  @Test func `the socket is accessible to its owner only, and removed at the end`() throws {
    do {
      let listener = try UnixListener(path: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      withExtendedLifetime(listener) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `an abandoned socket is replaced`() throws {
    let deserted = try bound()
    close(deserted)
    #expect(FileManager.default.fileExists(atPath: path))
    let listener = try UnixListener(path: path)
    let client = try connect()
    defer { close(client) }
    #expect(try listener.accept() != nil)
  }

  @Test func `a socket in use is left alone`() throws {
    let first = try UnixListener(path: path)
    #expect(throws: TransportError(.cannotListen, "address already in use")) { try UnixListener(path: path) }
    let client = try connect()
    defer { close(client) }
    // The second listener's probe is also a connection, which has ended.
    #expect(try first.accept() != nil)
    #expect(try first.accept() != nil)
  }

  @Test func `a symbolic link or a FIFO at the path is refused and unchanged`() throws {
    let deserted = try bound()
    close(deserted)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: TransportError(.cannotListen, "address already in use")) { try UnixListener(path: link) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    #expect(FileManager.default.fileExists(atPath: path))
    let fifo = folder.path + "/fifo"
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    #expect(throws: TransportError(.cannotListen, "address already in use")) { try UnixListener(path: fifo) }
    #expect(FileManager.default.fileExists(atPath: fifo))
  }

  @Test func `a listener that ends does not remove another's socket`() throws {
    do {
      let listener = try UnixListener(path: path)
      try FileManager.default.removeItem(atPath: path)
      try File.write([1], to: path)
      withExtendedLifetime(listener) {}
    }
    #expect(try File.bytes(path) == [1])
  }

  @Test func `a file that is not a socket is unchanged`() throws {
    try File.write([1, 2, 3], to: path)
    #expect(throws: TransportError(.cannotListen, "address already in use")) { try UnixListener(path: path) }
    #expect(try File.bytes(path) == [1, 2, 3])
  }

  @Test func `an invalid path and a missing folder are reported`() throws {
    let long = folder.path + "/" + String(repeating: "x", count: 108)
    #expect(throws: TransportError(.cannotListen, "file name too long")) {
      try UnixListener(path: long)
    }
    #expect(throws: TransportError(.cannotListen, "no such file or directory")) {
      try UnixListener(path: folder.path + "/nowhere/socket")
    }
  }

  // MARK: The other end

  private func connect() throws -> Int32 {
    unsafe try open { (descriptor, address, length) in unsafe Glibc.connect(descriptor, address, length) }
  }

  /// Binds a socket at the path without listening.
  private func bound() throws -> Int32 {
    unsafe try open { (descriptor, address, length) in unsafe bind(descriptor, address, length) }
  }

  private func open(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { (room) in unsafe room.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe body(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }
}
