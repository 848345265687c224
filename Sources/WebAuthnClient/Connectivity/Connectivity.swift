// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a program may show and do while there is no connection.
///
/// Reads may show what was last read, with the time at which it was. Nothing that writes is queued or tried again: while
/// there is no connection it is refused at once, and after one is back the state has to be read anew before anything may be
/// written, since it may be another by now. What was read is kept here, in memory, and nowhere else.
///
/// It is a value, fed with what became of requests: ``succeeded(reading:at:)``, ``answered()`` and ``failed(with:)``.
public struct Connectivity<Content: Sendable>: Sendable {
  /// How things stand.
  public enum Phase: Hashable, Sendable {
    /// The server was reached the last time, and what is known is what it says.
    case online
    /// The server was not reached the last time.
    case offline
    /// The server is reached again, and what is known is what it said before.
    case stale
  }

  /// How things stand.
  public private(set) var phase = Phase.online

  /// What was read last, and when.
  public private(set) var lastRead: (content: Content, time: Timestamp)?

  /// With a connection as far as is known, and nothing read yet.
  public init() {}

  /// Takes what a read gave.
  public mutating func succeeded(reading content: Content, at time: Timestamp) {
    lastRead = (content, time)
    phase = .online
  }

  /// Takes that the server answered something that is no state to show: a sign-in, a write, a refusal.
  public mutating func answered() {
    if phase == .offline { phase = .stale }
  }

  /// Takes that a request failed.
  public mutating func failed(with error: ClientError) {
    if error.isLossOfConnection {
      phase = .offline
    } else if error.outcome == .unknown {
      // What was to be written may have been.
      phase = .stale
    } else if error.isAnswer {
      answered()
    }
  }

  /// Whether something may be written.
  public var allowsWriting: Bool { phase == .online }

  /// Fails where nothing may be written now; what was to be written is cancelled, and was not sent.
  public func requireWriting() throws(ClientError) {
    switch phase {
    case .online: return
    case .offline: throw ClientError(.writingNotAllowed, "no connection", outcome: .notSent)
    case .stale: throw ClientError(.writingNotAllowed, "read the state anew first", outcome: .notSent)
    }
  }

  /// Forgets what was read, as when somebody signs out.
  public mutating func forget() {
    lastRead = nil
  }

  /// What is shown while there is no connection; nil while there is one. The time is that of a zone which is so many
  /// seconds ahead of UTC.
  public func banner(secondsFromUTC: Int) -> String? {
    guard phase == .offline else { return nil }
    guard let lastRead else { return "No connection" }
    return "No connection — data last updated at \(lastRead.time.clockTime(secondsFromUTC: secondsFromUTC))"
  }
}

extension ClientError {
  /// Whether there is no connection that can be used. A time-out is one of these causes, and so is a certificate that is not
  /// the server's: whoever answers there is somebody else.
  public var isLossOfConnection: Bool {
    switch code {
    case .unreachable, .nameNotFound, .connectTimedOut, .replyTimedOut, .certificateUntrusted, .certificateExpired,
      .certificateNotYetValid, .certificateWrongHost, .tlsFailed, .proxyFailed, .connectionReset, .replyTruncated:
      true
    default: false
    }
  }

  /// Whether the server answered, only not what was hoped for.
  var isAnswer: Bool {
    switch code {
    case .refusedByServer, .redirected, .replyTooLarge, .replyMalformed: true
    default: false
    }
  }
}

extension Timestamp {
  /// Hours and minutes of the day, such as `09:05`.
  fileprivate func clockTime(secondsFromUTC: Int) -> String {
    let day: Int64 = 86_400
    // Both are less than a day, so that their sum has room.
    let second = (secondsSince1970 % day + Int64(secondsFromUTC) % day + 2 * day) % day
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(padded(second / 3_600)):\(padded(second / 60 % 60))"
  }
}
