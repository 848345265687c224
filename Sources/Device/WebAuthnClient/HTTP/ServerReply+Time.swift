// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyTransfers

extension ServerReply {
  /// The server's time, from the `Date` header field.
  package var date: UnixTime? { header("date").flatMap(HTTPDate.timestamp) }

  /// The seconds to wait from `Retry-After`, in either of its forms; nil without one.
  package func retryAfter(now: UnixTime) -> Int64? {
    header("retry-after").flatMap { HTTPDate.seconds(untilRetry: $0, now: now) }
  }
}
