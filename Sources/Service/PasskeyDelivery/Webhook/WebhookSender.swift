// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransfers

/// Posts notices to a URL, signed as Standard Webhooks describes.
///
/// The body is `{"type": EVENT, "timestamp": TIME, "data": {…}}`. The header fields `webhook-id`, `webhook-timestamp` and
/// `webhook-signature` let the receiver verify the origin, detect duplicates and reject old messages.
///
/// Connections are made to public addresses only, unless the settings allow others. Each connection checks the address
/// after name resolution, which prevents DNS rebinding. Redirects are failures.
public struct WebhookSender: NoticeSender {
  private let url: DeliveryURL
  private let secrets: [WebhookSecret]
  private let line: DeliveryLine
  private let now: @Sendable () -> UnixTime

  // 8 [a slow request must not block the others, and a receiver should not be flooded]
  private static let concurrency = 8

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - url: the receiver's `https` URL.
  ///   - secrets: one secret, or two while the receiver changes from one to the other. Each signs every message.
  ///   - settings: the settings of its connections.
  ///   - now: returns the current time.
  /// - Throws: `delivery.address-invalid` or `delivery.secret-invalid`.
  public init(
    url: String, secrets: [WebhookSecret], settings: DeliverySettings = DeliverySettings(),
    now: @escaping @Sendable () -> UnixTime
  ) throws(DeliveryError) {
    guard 1...2 ~= secrets.count else { throw DeliveryError(.secretInvalid, "use one secret, or two during a change") }
    self.url = try DeliveryURL(url)
    self.secrets = secrets
    line = DeliveryLine(settings, concurrency: Self.concurrency)
    self.now = now
  }

  /// The URL's origin. The rest of a webhook's URL can be a secret.
  public var origin: String { url.origin }

  /// The destination itself.
  public var audience: NoticeAudience { .endpoint }

  /// Posts a notice once. A 2xx status means delivered. A 410 status means that the receiver wants no more notices.
  public func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    switch await line.send(content(of: notice), to: url.text) {
    case .failure(let fault): return DeliveryResult(fault)
    case .success(let reply):
      switch reply.status {
      case 200..<300: return .delivered
      case 410: return .rejected(reason: "status 410: the receiver is gone")
      default: return DeliveryResult(retrying: reply, "status \(reply.status)", now: now())
      }
    }
  }

  /// Returns the signed request for a notice. It passes on the trace of the request that caused the event.
  func content(of notice: OutgoingNotice) -> HTTPContent {
    let body = Self.body(of: notice)
    let id = notice.notice.id.description
    let timestamp = String(now().secondsSince1970)
    let signatures = secrets.map { $0.signature(id: id, timestamp: timestamp, body: body) }
    var content = HTTPContent(method: "POST", body: body, userAgent: DeliveryLine.userAgent)
    content.contentType = "application/json"
    content.fields = [
      HTTPContentField("webhook-id", id), HTTPContentField("webhook-timestamp", timestamp),
      HTTPContentField("webhook-signature", signatures.joined(separator: " ")),
    ]
    if let traceParent = notice.notice.traceParent {
      content.fields.append(HTTPContentField("traceparent", traceParent.description))
    }
    return content
  }

  /// Closes the connections.
  public func close() async { await line.close() }

  private static func body(of outgoing: OutgoingNotice) -> [UInt8] {
    let notice = outgoing.notice
    let data = (try? JSON.parse(notice.data)).map(JSONFragment.value)
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", notice.event.rawValue)
      object.write("timestamp", notice.time)
      object.write("data", data ?? .null)
    }
  }
}
