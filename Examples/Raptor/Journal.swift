// SPDX-License-Identifier: Apache-2.0

import PasskeyDelivery
import PasskeyService

/// A destination of notices: prints each as a line. A real back end would notify the user's devices.
struct Journal: NoticeSender {
  static let destination = NoticeDestination(DestinationName(rawValue: "journal"), events: ["order.*"])

  let audience = NoticeAudience.endpoint

  func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    say("\(notice.notice.event) \(notice.notice.id) \(String(decoding: notice.notice.data, as: UTF8.self))")
    return .delivered
  }
}
