// SPDX-License-Identifier: Apache-2.0

import BrowserBridge
import Glibc
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

/// Plays the browser that started `passkey browser host`.
final class BrowserProcess: Sendable {
  private let program: PipedProgram
  private let received = Locked<[UInt8]>([])

  /// Starts a host, by default with the environment of the tests. The vault has no passphrase; without one, `arguments`
  /// name the device.
  init(
    _ arguments: [String], vault: String?, extension identifier: String = BrowserExtension.identifier,
    environment: [String]? = nil
  ) throws {
    let place = vault.map { (path) in ["--vault", path, "--no-passphrase", "--vault-cost", "test"] } ?? []
    program = try PipedProgram(
      "passkey",
      ["browser", "host", "--kind", "passkey-provider"] + place + arguments + [BrowserExtension.origin(of: identifier)],
      environment: environment)
  }

  private static let override =
    #""remoteDesktopClientOverride":{"origin":"https://raxx.app","sameOriginWithAncestors":true}"#

  /// The options of a registration, with extensions.
  static let creation = creation(of: "ada")

  /// The options of a user's registration.
  static func creation(of user: String) -> String {
    #"{"rp":{"name":"Raxx"},"user":{"id":"\#(Base64URL.encode([UInt8](user.utf8)))","name":"\#(user)","#
      + #""displayName":"\#(user)"},"challenge":"AAECAwQFBgcICQoLDA0ODw","#
      + #""pubKeyCredParams":[{"type":"public-key","alg":-7}],"authenticatorSelection":{"residentKey":"required"},"#
      + #""extensions":{"prf":{"eval":{"first":"AAAA"}},"largeBlob":{"support":"preferred"},"credProps":true,\#(override)}}"#
  }

  /// The options of a sign-in, with an extension.
  static let request =
    #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","extensions":{"prf":{"eval":{"first":"AAAA"}},\#(override)}}"#

  /// Blocks until the host answers a ceremony, and returns the response.
  func response() throws -> String {
    let reply = try #require(try next())
    try #require(try reply.require("type").string == "response", "\(String(decoding: reply.encoded, as: UTF8.self))")
    return try reply.require("response").string
  }

  func send(_ message: String) throws {
    try send(bytes: NativeMessages.encode([UInt8](message.utf8)))
  }

  func send(bytes: [UInt8]) throws {
    try FileDescriptor(number: program.input).write(bytes)
  }

  /// Sends a page's call.
  func call(_ type: String, _ id: Int, _ details: String) throws {
    let message = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", type)
      object.write("id", .integer(id))
      object.write("details", details)
    }
    try send(bytes: NativeMessages.encode(message))
  }

  /// Blocks until the next message of the host. Returns nil at the end of its output.
  func next() throws -> JSONValue? {
    while true {
      if let message = received.withLock({ Self.take(&$0) }) {
        return try JSON.parse(message[...], maximumSize: NativeMessages.maximumOutgoingByteCount)
      }
      let bytes = try FileDescriptor(number: program.output).read(upTo: 1 << 16)
      if bytes.isEmpty { return nil }
      received.withLock { $0 += bytes }
    }
  }

  private static func take(_ received: inout [UInt8]) -> [UInt8]? {
    guard received.count >= 4 else { return nil }
    let length = received.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard received.count >= 4 + length else { return nil }
    defer { received.removeFirst(4 + length) }
    return Array(received[4..<(4 + length)])
  }
}
