// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyService
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyDelivery

struct FCMSenderTests {
  @Test func `after a 401 the sender gets another access token and sends again`() async throws {
    let google = try await Google { (token) in token == "token-1" ? .unauthorized : .ok }
    #expect(try await google.send() == .delivered)
    #expect(google.requests == ["/token", "token-1", "/token", "token-2"])
  }

  @Test func `after a second 401 the sender gives up until the next attempt`() async throws {
    let google = try await Google { _ in .unauthorized }
    #expect(try await google.send() == .retry(after: nil, reason: "status 401: the access token is refused"))
    #expect(google.requests == ["/token", "token-1", "/token", "token-2"])
  }

  @Test func `after a 403 the sender neither sends again nor gets another access token`() async throws {
    let google = try await Google { _ in .forbidden }
    for _ in 0..<2 { #expect(try await google.send() == .retry(after: nil, reason: "status 403")) }
    #expect(google.requests == ["/token", "token-1", "token-1"])
  }
}

/// A server that exchanges access tokens and answers messages, and a sender to it.
private final class Google: Sendable {
  private let folder: TemporaryFolder
  private let server: HTTPServer
  private let sender: FCMSender
  private let log: Log

  private final class Log: Sendable { let requests = Locked<[String]>([]) }

  private static let time = UnixTime(secondsSince1970: 1_700_000_000)

  /// Starts a server whose tokens are `token-1`, `token-2` and so on, and which answers the message with each.
  init(_ answer: @escaping @Sendable (String) -> EndpointStatus) async throws {
    folder = try TemporaryFolder()
    let certificate = try await TestCertificate.make(for: ["push.example"], in: folder)
    let tls = TLSFiles(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    let log = Log()
    server = try HTTPServer(HTTPServerConfiguration(tls: tls)) { (request) in
      let token = request.headers["authorization"]?.split(separator: " ").last.map(String.init)
      let requests = log.requests.withLock { (requests) in
        requests.append(token ?? request.target.path)
        return requests
      }
      if let token { return EndpointResponse(answer(token)) }
      return EndpointResponse.json { (object: inout JSONObjectWriter) in
        object.write("access_token", "token-\(requests.count { $0 == "/token" })")
        object.write("expires_in", .integer(3_600))
      }
    }
    self.log = log
    var settings = DeliverySettings()
    settings.certificateAuthority = certificate.certificatePath
    settings.resolve = ["push.example:\(server.port):127.0.0.1"]
    settings.totalTimeout = .seconds(HangGuard.seconds)
    settings.connectTimeout = settings.totalTimeout
    try settings.allowPrivateAddresses("127.0.0.1")
    let url = "https://push.example:\(server.port)"
    sender = try FCMSender(
      account: PushKeys.serviceAccount { $0["token_uri"] = "\(url)/token" }, url: url, settings: settings,
      now: { Self.time })
  }

  /// The path of each exchange and the access token of each message.
  var requests: [String] { log.requests.withLock { $0 } }

  /// Sends a notice to a device.
  func send() async throws -> DeliveryResult {
    let notice = Notice(
      id: NoticeID(unchecked: [UInt8](repeating: 1, count: 16)), event: NoticeEvent(rawValue: "session.opened"),
      account: nil, time: Self.time, data: Array("{}".utf8))
    let device = Device(
      id: Device.ID(unchecked: [UInt8](repeating: 2, count: 16)), user: try UserHandle([1]), service: .fcm, token: "ab",
      created: Self.time)
    return await sender.send(OutgoingNotice(notice, to: .device(device)))
  }
}
