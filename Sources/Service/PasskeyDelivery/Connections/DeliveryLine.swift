// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTransfers

/// The connections to one destination.
final class DeliveryLine: Sendable {
  let settings: DeliverySettings
  private let queue: TransferQueue

  init(_ settings: DeliverySettings, concurrency: Int) {
    self.settings = settings
    queue = TransferQueue(concurrency: concurrency)
  }

  deinit {
    queue.close()
  }

  /// Closes the connections and waits until their thread has ended.
  func close() async {
    await queue.end()
  }

  /// Sends a request to an `https` URL.
  func send(_ content: HTTPContent, to url: String) async -> Result<TransferReply, TransferFault> {
    await send(request(url, "https", .http(content)))
  }

  /// Sends a mail. `url` begins with `smtp` or `smtps`.
  func send(_ mail: MailContent, to url: String) async -> Result<TransferReply, TransferFault> {
    await send(request(url, url.hasPrefix("smtps:") ? "smtps" : "smtp", .mail(mail)))
  }

  private func send(_ request: TransferRequest) async -> Result<TransferReply, TransferFault> {
    await queue.perform { request }.result
  }

  private func request(_ url: String, _ scheme: String, _ content: TransferRequest.Content) -> TransferRequest {
    var request = TransferRequest(
      url, scheme: scheme, content, connectTimeout: settings.connectTimeout, totalTimeout: settings.totalTimeout,
      maximumBodyByteCount: Self.maximumBodyByteCount, maximumHeaderByteCount: Self.maximumHeaderByteCount)
    request.certificateAuthority = settings.certificateAuthority
    request.resolve = settings.resolve
    request.mayConnect = settings.allows
    request.reusesConnections = true
    return request
  }

  // 64 KiB [responses of push services have some hundred bytes; responses of webhooks are not used]
  private static let maximumBodyByteCount = 1 << 16
  private static let maximumHeaderByteCount = 1 << 16

  static let userAgent = "passkey-server/0.1.0"
}

extension DeliveryResult {
  /// The result of a transfer without a usable response. All such failures may be temporary.
  init(_ fault: TransferFault) {
    self = .retry(after: nil, reason: fault.reason)
  }

  /// The result for a response that asks to send again later. `Retry-After` is respected up to a day.
  init(retrying reply: TransferReply, _ reason: String, now: UnixTime) {
    let seconds = reply.field("retry-after").flatMap { HTTPDate.seconds(untilRetry: $0, now: now) }
    self = .retry(after: seconds.map { .seconds(min($0, 86_400)) }, reason: reason)
  }
}
