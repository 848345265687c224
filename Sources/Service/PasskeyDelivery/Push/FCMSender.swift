// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransfers

/// Sends notices to devices through Firebase Cloud Messaging's HTTP v1 interface.
public struct FCMSender: NoticeSender {
  private let access: FCMAccessToken
  private let url: String
  private let texts: [String: PushText]
  private let line: DeliveryLine
  private let now: @Sendable () -> UnixTime

  // 100 [streams of one connection; Google advises to share connections]
  private static let concurrency = 100

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - account: the service account of the project.
  ///   - texts: the text for each event. Events without a text are sent as data messages, which show nothing by
  ///     themselves.
  ///   - url: overrides the origin of Google's server.
  ///   - settings: the settings of its connections.
  ///   - now: returns the current time.
  /// - Throws: `delivery.address-invalid`.
  public init(
    account: FCMServiceAccount, texts: [String: PushText] = PushText.standard, url: String? = nil,
    settings: DeliverySettings = DeliverySettings(), now: @escaping @Sendable () -> UnixTime
  ) throws(DeliveryError) {
    self.url = try DeliveryURL(url ?? "https://fcm.googleapis.com").origin
    self.texts = texts
    line = DeliveryLine(settings, concurrency: Self.concurrency)
    access = FCMAccessToken(account, line, now: now)
    self.now = now
  }

  /// The account's devices at Firebase.
  public var audience: NoticeAudience { .devices(.fcm) }

  /// Uses another service account from now on.
  public func replace(_ account: FCMServiceAccount) async { await access.replace(account) }

  /// Sends a notice to one device. Retries once if Google refuses the access token.
  public func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    guard case .device(let device) = notice.recipient else { return .rejected(reason: "the recipient is not a device") }
    for _ in 0..<2 {
      let token: String
      do throws(FCMAccessToken.Unavailable) {
        token = try await access.text()
      } catch {
        return error.result
      }
      let address = "\(url)/v1/projects/\(await access.project)/messages:send"
      switch await line.send(content(notice.notice, to: device, token), to: address) {
      case .failure(let fault): return DeliveryResult(fault)
      case .success(let reply):
        guard reply.status == 401 else { return result(reply) }
        await access.drop(token)
      }
    }
    return .retry(after: nil, reason: "status 401: the access token is refused")
  }

  /// Closes the connection.
  public func close() async { await line.close() }

  private func content(_ notice: Notice, to device: Device, _ token: String) -> HTTPContent {
    var content = HTTPContent(method: "POST", body: body(notice, device), userAgent: DeliveryLine.userAgent)
    content.version = .http2
    content.contentType = "application/json"
    content.fields = [HTTPContentField("authorization", "Bearer \(token)")]
    return content
  }

  private func body(_ notice: Notice, _ device: Device) -> [UInt8] {
    let event = notice.event.rawValue
    let text = texts[event]
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      object.writeObject("message") { (message: inout JSONObjectWriter) in
        message.write("token", device.token)
        if let text {
          message.writeObject("notification") { (notification: inout JSONObjectWriter) in
            notification.write("title", text.title)
            notification.write("body", text.body)
          }
        }
        // Firebase accepts strings only.
        message.writeObject("data") { (data: inout JSONObjectWriter) in
          data.write("event", event)
          data.write("id", notice.id.description)
          data.write("data", String(decoding: notice.data, as: UTF8.self))
        }
        message.writeObject("android") { (android: inout JSONObjectWriter) in
          android.write("priority", text == nil ? "normal" : "high")
          android.write("ttl", "\(PushMessage.lifetime(of: event).components.seconds)s")
          android.write("collapse_key", notice.id.description)
        }
      }
    }
  }

  private func result(_ reply: TransferReply) -> DeliveryResult {
    let error = try? JSON.parse(reply.body)["error"]
    let code = errorCode(error)
    let reason = "status \(reply.status)\(code.isEmpty ? "" : ", \(code)")"
    switch (reply.status, code) {
    case (200, _): return .delivered
    case (_, "UNREGISTERED"): return .gone
    case (400, _), (403, "SENDER_ID_MISMATCH"), (404, _): return .rejected(reason: reason)
    default: return DeliveryResult(retrying: reply, reason, now: now())
    }
  }

  /// Returns Firebase's error code, or the general status if there is no error code.
  private func errorCode(_ error: JSONValue?) -> String {
    var texts: [String] = []
    if let details = try? error?["details"]?.array {
      for detail in details { if let text = try? detail["errorCode"]?.string { texts.append(text) } }
    }
    if let text = try? error?["status"]?.string { texts.append(text) }
    // The code goes into logs.
    let isCode = { (text: String) in
      1...64 ~= text.utf8.count && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }
    return texts.first(where: isCode) ?? ""
  }
}
