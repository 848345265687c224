// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport

@testable import FaultProxy

/// A server that records the requests that it receives whole, and sends a reply to each.
final class OddServer: Sendable {
  /// A request: `POST /path BODY`.
  typealias Reply = @Sendable (_ request: String) -> String

  let address: SocketAddress
  private let listener: FileDescriptor
  private let reply: Reply
  private let received = Locked<[String]>([])

  /// The heads of the requests, as they arrived.
  let heads = Locked<[String]>([])

  init(_ reply: @escaping Reply = { (request) in OddServer.json("{\"echo\":\"\(request)\"}") }) throws {
    let (socket, address) = try SocketAddress.loopback().bound()
    try socket.listen()
    listener = socket
    self.address = address
    self.reply = reply
    onOwnThread { [self] in acceptAll() }
  }

  func close() {
    listener.shutDown(.both)
  }

  /// The requests in the order of their arrival.
  var requests: [String] { received.withLock { $0 } }

  /// Waits until this many requests have arrived.
  func requests(_ count: Int) -> [String] {
    received.wait { (received) in received.count >= count ? received : nil }
  }

  static func json(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func acceptAll() {
    while let socket = try? UnixSocket.accept(from: listener) {
      _ = SystemThread.start { [self] in serve(socket) }
    }
    listener.close()
  }

  private func serve(_ socket: FileDescriptor) {
    defer { socket.close() }
    var reader = MessageReader(ofTest: socket)
    defer { reader.release() }
    while let head = try? reader.head(.request), let body = try? reader.wholeBody(BodyFraming(ofRequest: head)) {
      let content = String(decoding: body.content, as: UTF8.self)
      heads.update { (heads) in heads.append(String(decoding: head.bytes, as: UTF8.self)) }
      let request = "\(head.method) \(head.path)\(content.isEmpty ? "" : " \(content)")"
      received.update { (received) in received.append(request) }
      guard (try? socket.sendAll(Array(reply(request).utf8))) != nil else { return }
    }
  }
}

extension MessageReader {
  init(ofTest socket: FileDescriptor) {
    self.init(socket, ProxyLimits(), HeldBytes(limit: .max))
  }
}

/// A client's connection to a proxy.
final class OddClient {
  private let socket: FileDescriptor
  private var reader: MessageReader

  init(_ proxy: ProxyServer) throws {
    socket = try proxy.address.connected()
    reader = MessageReader(ofTest: socket)
  }

  deinit {
    socket.close()
  }

  func send(_ text: String) throws {
    try socket.sendAll(Array(text.utf8))
  }

  /// Sends a request with a JSON body.
  func post(_ path: String, _ body: String) throws {
    try send("POST \(path) HTTP/1.1\r\nHost: raxx.app\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  func get(_ path: String) throws {
    try send("GET \(path) HTTP/1.1\r\nHost: raxx.app\r\nAccept-Encoding: gzip\r\n\r\n")
  }

  /// The status code and the content of the next reply.
  func reply(to method: String = "GET") throws -> String {
    let head = try reader.head(.reply)
    defer { reader.release() }
    let body = try reader.wholeBody(BodyFraming(ofReply: head, to: method))
    return "\(head.status) \(String(decoding: body.content, as: UTF8.self))"
  }

  /// Everything that arrives until the connection ends.
  func rest() -> String {
    var bytes = reader.rest()
    while let more = try? socket.read(upTo: 1 << 16), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A proxy in front of a server, and the events that it has reported.
struct ProxiedServer {
  let server: OddServer
  let proxy: ProxyServer
  private let reported = Locked<[ProxyEvent]>([])

  init(
    _ rules: [String], _ traffic: ProxyServer.Traffic = .http, _ server: OddServer? = nil,
    limits: ProxyLimits = ProxyLimits(), at address: SocketAddress = .loopback()
  ) throws {
    let server = try server ?? OddServer()
    let reported = reported
    self.server = server
    proxy = try ProxyServer(
      to: server.address, at: address, traffic, rules: rules.map { (rule) throws in try FaultRule(rule) },
      limits: limits, allowingClientsOfOtherMachines: true
    ) { (event) in
      reported.update { (reported) in reported.append(event) }
    }
    try proxy.open()
  }

  /// Waits until this many events have been reported.
  func events(_ count: Int) -> [String] {
    reported.wait { (reported) in reported.count >= count ? reported.map(\.description) : nil }
  }

  func close() {
    proxy.close()
    server.close()
  }
}
