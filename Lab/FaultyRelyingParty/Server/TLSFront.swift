// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeySystem

/// A listener before a server with TLS, which accepts the start of handshakes that the server refuses: with outdated
/// versions or with weak cipher suites, as its faults say. It passes all other connections on.
final class TLSFront: Sendable {
  /// The outdated version that each fault accepts.
  private static let versions: [String: UInt16] = ["http.tls-versions": 0x0301, "http.tls-versions/1.1": 0x0302]

  /// The weak cipher suite that each fault accepts.
  private static let suites: [String: UInt16] = [
    // RSA with NULL and SHA-256, ECDH_anon with AES-128, RSA_EXPORT with RC4.
    "http.tls-suites-unprotected": 0x003b, "http.tls-suites-unprotected/anonymous": 0xc018,
    "http.tls-suites-unprotected/export": 0x0003,
    // ECDHE_RSA with triple DES, RSA with RC4, RSA with AES-128-GCM.
    "http.tls-suites-weak": 0xc012, "http.tls-suites-weak/rc4": 0x0005, "http.tls-suites-static": 0x009c,
  ]

  /// The faults that need this listener.
  static let faults = Set(versions.keys).union(suites.keys)

  let port: UInt16
  private let listener: FileDescriptor

  /// Listens at a port for the server at another one.
  init(port: UInt16, before server: UInt16, faults: Faults) throws {
    (listener, self.port) = try LoopbackSocket.listen(at: port)
    let versions = Set(Self.versions.filter { faults.has($0.key) }.values)
    let suites = Set(Self.suites.filter { faults.has($0.key) }.values)
    let listener = listener
    _ = SystemThread.start {
      while let connection = try? LoopbackSocket.accept(from: listener) {
        let isServed = SystemThread.start {
          Self.serve(connection, server, versions, suites)
          connection.close()
        }
        if !isServed { connection.close() }
      }
      listener.close()
    }
  }

  /// Stops accepting connections.
  func stop() { listener.shutDown(.both) }

  /// Answers the first message or passes the connection on. Blocks the thread.
  private static func serve(
    _ client: FileDescriptor, _ port: UInt16, _ versions: Set<UInt16>, _ suites: Set<UInt16>
  ) {
    var received: [UInt8] = []
    var offer: Offer?
    while offer == nil, received.count < 16_384 {
      guard let part = try? client.read(upTo: 16_384), !part.isEmpty else { return }
      received += part
      offer = Offer(received)
    }
    if let offer, let suite = offer.weakSuite(versions, suites) {
      try? client.write(offer.answer(suite))
      return
    }
    guard let server = connection(to: port) else { return }
    defer { server.close() }
    let ended = Locked(false)
    let isRelayed = SystemThread.start { [received] in
      relay(received, from: client, to: server)
      ended.update { $0 = true }
    }
    guard isRelayed else { return }
    relay([], from: server, to: client)
    client.shutDown(.both)
    _ = ended.wait { $0 ? true : nil }
  }

  /// Writes `bytes`, and then what one side sends until its end.
  private static func relay(_ bytes: [UInt8], from one: FileDescriptor, to other: FileDescriptor) {
    var next: [UInt8]? = bytes
    while let part = next {
      guard (try? other.write(part)) != nil, let more = try? one.read(upTo: 65_536), !more.isEmpty else { break }
      next = more
    }
    other.shutDown(.sending)
  }

  private static func connection(to port: UInt16) -> FileDescriptor? {
    let socket = FileDescriptor(number: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe connect(socket.number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      socket.close()
      return nil
    }
    return socket
  }
}

/// The version and the cipher suites in the first message of a client.
private struct Offer {
  let version: UInt16
  let suites: Set<UInt16>
  private let first: UInt16

  /// Reads the record of a ClientHello; nil if it is not complete.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do throws(WireError) {
      // The record's head, and the head of the message.
      _ = try reader.read(9)
      version = try reader.readUInt16()
      _ = try reader.read(32)
      _ = try reader.read(Int(reader.readByte()))
      var list = ByteReader(try reader.read(Int(reader.readUInt16())))
      var suites: [UInt16] = []
      while !list.isAtEnd { suites.append(try list.readUInt16()) }
      guard let first = suites.first else { return nil }
      self.first = first
      self.suites = Set(suites)
    } catch {
      return nil
    }
  }

  /// Returns the suite that a server with weak suites chooses; nil if it chooses a better one, which the other server does.
  func weakSuite(_ versions: Set<UInt16>, _ weak: Set<UInt16>) -> UInt16? {
    if version < 0x0303 { return versions.contains(version) ? first : nil }
    // TLS 1.3, and ECDHE with AES-128-GCM.
    guard suites.isDisjoint(with: [0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f]) else { return nil }
    return suites.intersection(weak).first
  }

  /// Returns a ServerHello in a record.
  func answer(_ suite: UInt16) -> [UInt8] {
    var hello = ByteWriter()
    hello.write([2, 0, 0, 38])
    hello.write(version)
    hello.write([UInt8](repeating: 7, count: 32))
    hello.write(UInt8(0))
    hello.write(suite)
    hello.write(UInt8(0))
    var record = ByteWriter()
    record.write(UInt8(22))
    record.write(version)
    record.write(UInt16(hello.bytes.count))
    record.write(hello.bytes)
    return record.bytes
  }
}
