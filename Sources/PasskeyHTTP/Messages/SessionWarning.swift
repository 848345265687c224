// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension HTTPResponse {
  /// The header that says how many seconds a session has left, in the minutes before it ends.
  public static let sessionWarningHeader = "session-expires-in"

  /// Warns of the session's end where it is at most `window` away.
  public mutating func warn(ofSessionEnding end: Timestamp, now: Timestamp, within window: Duration) {
    guard end <= now + window else { return }
    let (left, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    headers.set(Self.sessionWarningHeader, String(overflow ? 0 : max(0, left)))
  }
}
