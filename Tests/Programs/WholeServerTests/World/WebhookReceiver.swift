// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyService
import PasskeySystem
import PasskeyTestSupport

/// A receiver of webhooks over TLS. It verifies the signature of each notice and records those that it accepts.
final class WebhookReceiver: Sendable {
  /// A notice as it arrived.
  struct Received: Hashable, Sendable {
    /// The name of the webhook.
    let destination: String
    let id: String
    let event: String
    let account: String?
    /// The members of its data.
    let values: [String: String]
    let isSigned: Bool
  }

  private struct State: Sendable {
    var accepted: [Received] = []
    var connections = 0
    var answer: @Sendable (Received) async -> Int = { (_) in 204 }
  }

  /// The state that requests change.
  private final class Book: Sendable {
    let state = Locked(State())
    let changed = OutboxSignal()
  }

  /// The audited events of ``Client``'s actions. Each is reported under the same name, once.
  static let clientEvents = [
    "account.created", "credential.registered", "session.opened", "session.revoked", "step-up.confirmed",
    "step-up.spent",
  ]

  private let folder: TemporaryFolder
  private let book = Book()
  private let server: HTTPServer
  private static let secret = SecretBytes([UInt8](1...32))

  /// Starts a receiver that accepts every notice.
  init() async throws {
    folder = try TemporaryFolder()
    let path = folder.path
    let printed = try await waiting { try SecureLine.makeIdentity(in: path) }
    guard printed.isEmpty else { throw RunningProgram.NotReady(told: printed) }
    let tls = TLSFiles(certificatePath: "\(path)/server.crt", keyPath: "\(path)/server.key")
    server = try HTTPServer(HTTPServerConfiguration(tls: tls)) { [book] (request) in
      let received = Self.read(request)
      let answer = book.state.withLock { (state) in state.answer }
      let status = await answer(received)
      if 200..<300 ~= status { book.state.withLock { (state) in state.accepted.append(received) } }
      book.changed.give()
      return EndpointResponse(EndpointStatus(rawValue: status))
    }
  }

  /// The port that the receiver listens at.
  var port: UInt16 { server.port }

  /// The notices that were accepted, in the order of their arrival, with duplicates.
  var accepted: [Received] { book.state.withLock { (state) in state.accepted } }

  /// Sets how the receiver answers: the status for a notice. It accepts a notice with a status of 2xx.
  func answers(_ answer: @escaping @Sendable (Received) async -> Int) {
    book.state.withLock { (state) in state.answer = answer }
  }

  /// Waits until the accepted notices fulfill a condition. Returns false when the limit of ``HangGuard`` is reached.
  func waits(until condition: ([Received]) -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while true {
      let count = book.changed.count
      if condition(accepted) { return true }
      guard ContinuousClock.now < limit else { return false }
      await book.changed.wait(after: count, atMost: .seconds(5))
    }
  }

  /// Writes a file for `--deliveries` with webhooks and the events that each wants, and returns its path. The webhooks
  /// connect to `port` instead of the receiver's own.
  func deliveries(_ webhooks: [(name: String, events: [String])], through port: UInt16? = nil) throws -> String {
    let port = port ?? self.port
    let secret = "\(folder.path)/webhook.secret"
    let text = "whsec_\(Self.secret.withBytes { (bytes) in Base64.encode(bytes) })\n"
    try File.write(Array(text.utf8), to: secret, isPrivate: true)
    let list = webhooks.map { (webhook) in
      """
      {"name": "\(webhook.name)", "url": "https://raxx.app:\(port)/\(webhook.name)", "secretFiles": ["\(secret)"],
        "events": [\(webhook.events.map { "\"\($0)\"" }.joined(separator: ", "))], "allowedAddresses": ["127.0.0.1"],
        "certificateAuthority": "\(folder.path)/server.crt", "resolve": ["raxx.app:\(port):127.0.0.1"]}
      """
    }
    let path = "\(folder.path)/deliveries.json"
    try File.write(Array(#"{"webhooks": [\#(list.joined(separator: ",\n"))]}"#.utf8), to: path)
    return path
  }

  /// Reads a request as the specification of Standard Webhooks says.
  private static func read(_ request: EndpointRequest) -> Received {
    let id = request.headers["webhook-id"] ?? ""
    let time = request.headers["webhook-timestamp"] ?? ""
    let tag = HMAC.tag(of: Array("\(id).\(time).".utf8) + request.body, key: secret)
    let content = try? JSON.parse(request.body)
    let data = try? content?.require("data").members
    var values: [String: String] = [:]
    for member in data.map(Array.init) ?? [] { values[member.name] = try? member.value.string }
    return Received(
      destination: request.target.segments.joined(separator: "/"), id: id,
      event: (try? content?.require("type").string) ?? "", account: values["account"], values: values,
      isSigned: request.headers["webhook-signature"] == "v1,\(Base64.encode(tag))")
  }
}
