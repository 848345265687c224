// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension HTTPResponse {
  /// The header with the remaining seconds of a session, sent shortly before it expires.
  public static let sessionWarningHeader = "session-expires-in"

  /// Adds the warning header if the session expires within `window`.
  public mutating func warn(ofSessionEnding end: Timestamp, now: Timestamp, within window: Duration) {
    guard end <= now + window else { return }
    let (left, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    headers.set(Self.sessionWarningHeader, String(overflow ? 0 : max(0, left)))
  }
}
