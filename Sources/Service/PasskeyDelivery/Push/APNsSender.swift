// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransfers

/// Sends notices to devices through Apple's push service, over HTTP/2.
public struct APNsSender: NoticeSender {
  /// Apple's servers.
  public enum Environment: String, Hashable, Sendable, CaseIterable {
    /// For applications from the App Store and TestFlight.
    case production
    /// For applications that Xcode installed.
    case sandbox

    var url: String {
      switch self {
      case .production: "https://api.push.apple.com"
      case .sandbox: "https://api.sandbox.push.apple.com"
      }
    }
  }

  private let key: APNsKey
  private let topic: String
  private let url: String
  private let texts: [String: PushText]
  private let line: DeliveryLine
  private let now: @Sendable () -> UnixTime

  // 100 [streams of one connection; Apple allows about 1,000]
  private static let concurrency = 100

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - key: the signing key.
  ///   - topic: the application's bundle identifier.
  ///   - environment: where the application was installed from.
  ///   - texts: the text for each event. Events without a text are sent as background messages.
  ///   - url: overrides the URL of Apple's server.
  ///   - settings: the settings of its connections.
  ///   - now: returns the current time.
  /// - Throws: `delivery.identifier-invalid` or `delivery.address-invalid`.
  public init(
    key: APNsKey, topic: String, environment: Environment, texts: [String: PushText] = PushText.standard,
    url: String? = nil, settings: DeliverySettings = DeliverySettings(), now: @escaping @Sendable () -> UnixTime
  ) throws(DeliveryError) {
    guard !topic.isEmpty, topic.utf8.count <= 255,
      topic.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-.".utf8.contains($0) })
    else { throw DeliveryError(.identifierInvalid, "use the bundle identifier of the app, such as app.raxx.ios") }
    self.key = key
    self.topic = topic
    self.url = try DeliveryURL(url ?? environment.url).origin
    self.texts = texts
    line = DeliveryLine(settings, concurrency: Self.concurrency)
    self.now = now
  }

  /// The account's devices at Apple's push service.
  public var audience: NoticeAudience { .devices(.apns) }

  /// Sends a notice to one device. Retries once if Apple requests a newer provider token.
  public func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    guard case .device(let device) = notice.recipient else { return .rejected(reason: "the recipient is not a device") }
    // 32 bytes today; Apple advises against a fixed length.
    guard 1...200 ~= device.token.utf8.count, device.token.utf8.allSatisfy(\.isHexDigit) else {
      return .rejected(reason: "the device token is not hexadecimal")
    }
    for _ in 0..<2 {
      let token: String
      do throws(PasskeyCryptoError) {
        token = try key.token(now: now())
      } catch {
        return .retry(after: nil, reason: "cannot sign the provider token: \(error.code.rawValue)")
      }
      switch await line.send(content(notice.notice, to: device, token), to: "\(url)/3/device/\(device.token)") {
      case .failure(let fault): return DeliveryResult(fault)
      case .success(let reply):
        let refusal = Refusal(reply)
        guard refusal.reason == "ExpiredProviderToken" else { return result(reply, refusal, device) }
        key.drop(token, now: now())
      }
    }
    return .retry(after: nil, reason: "ExpiredProviderToken: check this machine's clock")
  }

  /// Closes the connection.
  public func close() async { await line.close() }

  private func content(_ notice: Notice, to device: Device, _ token: String) -> HTTPContent {
    let event = notice.event.rawValue
    let text = texts[event]
    let expiry = notice.time + PushMessage.lifetime(of: event)
    var content = HTTPContent(
      method: "POST", body: Self.body(notice, text), userAgent: DeliveryLine.userAgent)
    content.version = .http2
    content.contentType = "application/json"
    content.fields = [
      HTTPContentField("authorization", "bearer \(token)"), HTTPContentField("apns-topic", topic),
      HTTPContentField("apns-push-type", text == nil ? "background" : "alert"),
      // Apple requires 5 for background messages.
      HTTPContentField("apns-priority", text == nil ? "5" : "10"),
      HTTPContentField("apns-expiration", String(expiry.secondsSince1970)),
      HTTPContentField("apns-id", Self.identifier(of: notice, for: device)),
      // A duplicate replaces the message that the device shows already.
      HTTPContentField("apns-collapse-id", notice.id.description),
    ]
    return content
  }

  /// Returns a UUID for the message to one device. It is the same in each attempt.
  static func identifier(of notice: Notice, for device: Device) -> String {
    var bytes = Array(Digest.sha256(notice.id.bytes + device.id.bytes).prefix(16))
    // RFC 9562 §5.8
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = Array(Hex.encode(bytes))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  private static func body(_ notice: Notice, _ text: PushText?) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.writeObject("aps") { (aps: inout JSONObjectWriter) in
        if let text {
          aps.writeObject("alert") { (alert: inout JSONObjectWriter) in
            alert.write("title", text.title)
            alert.write("body", text.body)
          }
          aps.write("sound", "default")
        } else {
          aps.write("content-available", 1)
        }
      }
      object.write("event", notice.event.rawValue)
      object.write("id", notice.id.description)
      if let data = try? JSON.parse(notice.data) { object.write("data", .value(data)) }
    }
  }

  /// Apple's reason, and the time since when a device token has been invalid.
  private struct Refusal {
    let reason: String
    let invalidSince: UnixTime?

    init(_ reply: TransferReply) {
      let body = try? JSON.parse(reply.body)
      let text = (try? body?["reason"]?.string) ?? ""
      // The reason goes into logs.
      reason = text.utf8.count <= 64 && text.utf8.allSatisfy(\.isASCIILetterOrDigit) ? text : ""
      invalidSince = (try? body?["timestamp"]?.integer(Int64.self)).map {
        UnixTime(secondsSince1970: $0 / 1_000)
      }
    }
  }

  private func result(_ reply: TransferReply, _ refusal: Refusal, _ device: Device) -> DeliveryResult {
    let reason = "status \(reply.status)\(refusal.reason.isEmpty ? "" : ", \(refusal.reason)")"
    switch reply.status {
    case 200: return .delivered
    case 410:
      // The device may have registered the token again since then.
      if let since = refusal.invalidSince, since < device.created { return .rejected(reason: reason) }
      return .gone
    case 400, 404, 405, 413: return .rejected(reason: reason)
    default: return DeliveryResult(retrying: reply, reason, now: now())
    }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
