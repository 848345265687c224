// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnBrowser

/// The connection state of a program, which decides what it may show and whether it may write.
///
/// While the program is offline, it may show the content that was last read, with its time. Writes are never queued or
/// retried: they fail at once while there is no connection. After the connection is back, the program has to read the
/// state again before it writes, because the state may have changed. The content is kept in memory only.
///
/// This is a value. Update it with the result of each request: ``succeeded(reading:at:)``, ``answered()`` and
/// ``failed(with:)``.
package struct Connectivity<Content: Sendable>: Sendable {
  /// The state of the connection and of the content.
  package enum Phase: Hashable, Sendable {
    /// The last request reached the server, and the content is current.
    case online
    /// The last request did not reach the server.
    case offline
    /// The server is reachable again, but the content was read before the connection was lost.
    case stale
  }

  /// The current state of the connection and of the content.
  package private(set) var phase = Phase.online

  /// The content that was last read, and when.
  package private(set) var lastRead: (content: Content, time: UnixTime)?

  /// Creates an online state without content.
  package init() {}

  /// Records a successful read.
  package mutating func succeeded(reading content: Content, at time: UnixTime) {
    lastRead = (content, time)
    phase = .online
  }

  /// Records an answer without content to show, such as a sign-in, a write or an error response.
  package mutating func answered() {
    if phase == .offline { phase = .stale }
  }

  /// Records a failed request.
  package mutating func failed(with error: ClientError) {
    if error.isLossOfConnection {
      phase = .offline
    } else if error.outcome == .unknown {
      // The server may have carried out the write.
      phase = .stale
    } else if error.isAnswer {
      answered()
    }
  }

  /// Whether the program may write.
  package var allowsWriting: Bool { phase == .online }

  /// Throws ``/WebAuthnBrowser/ClientError/Code-swift.enum/writingNotAllowed`` if the program may not write now. The outcome of the error is
  /// ``/WebAuthnBrowser/WriteOutcome/notSent``.
  package func requireWriting() throws(ClientError) {
    switch phase {
    case .online: return
    case .offline: throw ClientError(.writingNotAllowed, "no connection", outcome: .notSent)
    case .stale: throw ClientError(.writingNotAllowed, "read the state again first", outcome: .notSent)
    }
  }

  /// Discards the content, for example when the user signs out.
  package mutating func forget() {
    lastRead = nil
  }

  /// Returns the text to show while offline, or nil while online. `secondsFromUTC` is the offset of the time zone in
  /// which to show the time.
  package func banner(secondsFromUTC: Int) -> String? {
    guard phase == .offline else { return nil }
    guard let lastRead else { return "No connection" }
    return "No connection — data last updated at \(lastRead.time.clockTime(secondsFromUTC: secondsFromUTC))"
  }
}

extension ClientError {
  /// Whether the error means that the connection is unusable. Time-outs are included, and so are certificate errors,
  /// because the peer is then not known to be the server.
  public var isLossOfConnection: Bool {
    switch code {
    case .unreachable, .nameNotFound, .connectTimedOut, .replyTimedOut, .certificateUntrusted, .certificateExpired,
      .certificateNotYetValid, .certificateWrongHost, .tlsFailed, .proxyFailed, .connectionReset, .replyTruncated:
      true
    default: false
    }
  }

  /// Whether the server answered, but with an error or an unusable response.
  var isAnswer: Bool {
    switch code {
    case .refusedByServer, .redirected, .replyTooLarge, .replyMalformed: true
    default: false
    }
  }
}

extension UnixTime {
  /// Hours and minutes of the day, such as `09:05`.
  fileprivate func clockTime(secondsFromUTC: Int) -> String {
    let day: Int64 = 86_400
    // Both remainders are less than a day, so their sum cannot overflow.
    let second = (secondsSince1970 % day + Int64(secondsFromUTC) % day + 2 * day) % day
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(padded(second / 3_600)):\(padded(second / 60 % 60))"
  }
}
