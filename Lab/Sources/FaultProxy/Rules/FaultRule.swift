// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A fault and the traffic that it applies to.
package struct FaultRule: Sendable {
  /// The traffic that a rule applies to.
  package enum Match: Hashable, Sendable {
    /// Requests with this method (nil for any) and this path. A `*` at the end of the path stands for the rest.
    case request(method: String?, path: String)

    /// Bytes from the client that contain a word. It has to arrive in one piece.
    case word(String)
  }

  /// The direction of the faulty bytes.
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    case request
    case reply
  }

  /// A fault.
  package enum Action: Sendable {
    /// Forwards later.
    case delay(Duration)

    /// Resets both connections after this many bytes. A request that is cut before its end does not reach the server whole;
    /// a reply is cut when the server has processed the request.
    case cut(after: Int)

    /// Ends the message after this many bytes, as if the sender had closed its connection.
    case truncate(to: Int)

    /// Sends the message twice. The second request is sent when the server has replied to the first; its reply is discarded.
    case duplicate

    /// Holds the message back until the next message of this direction has passed.
    case reorder

    /// Replaces a member of the JSON body, or adds it; the value is JSON text. Without a value, removes the member.
    case change(pointer: JSONPointer, value: [UInt8]?)

    /// Answers with this status code. The server does not get the request.
    case status(Int)
  }

  package let match: Match

  /// The fault happens only at this match, counted from one; nil for every match.
  package let occurrence: Int?

  package let direction: Direction
  package let action: Action

  package init(_ match: Match, occurrence: Int? = nil, _ direction: Direction, _ action: Action) {
    self.match = match
    self.occurrence = occurrence
    self.direction = direction
    self.action = action
  }
}

extension FaultRule.Match {
  /// Whether a request is meant.
  func matches(method: String, path: String) -> Bool {
    guard case .request(let wantedMethod, let wantedPath) = self else { return false }
    guard wantedMethod ?? method == method else { return false }
    return wantedPath.hasSuffix("*") ? path.hasPrefix(wantedPath.dropLast()) : path == wantedPath
  }

  /// Whether a chunk of bytes is meant.
  func matches(_ chunk: [UInt8]) -> Bool {
    guard case .word(let word) = self else { return false }
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty else { return false }
    return chunk.indices.contains { (start) in chunk[start...].starts(with: wanted) }
  }
}

extension FaultRule: CustomStringConvertible {
  /// The rule as its text form: `POST /login/verify #2: cut-reply 10`.
  package var description: String {
    let place =
      switch match {
      case .request(let method, let path): "\(method ?? "*") \(path)"
      case .word(let word): "\"\(word)\""
      }
    return "\(place)\(occurrence.map { " #\($0)" } ?? ""): \(fault)"
  }

  /// The fault in the text form: `cut-reply 10`.
  package var fault: String {
    switch action {
    case .delay(let duration): "delay-\(direction.rawValue) \(duration.milliseconds)ms"
    case .cut(let count): "cut-\(direction.rawValue) \(count)"
    case .truncate(let count): "truncate-\(direction.rawValue) \(count)"
    case .duplicate: "duplicate-\(direction.rawValue)"
    case .reorder: "reorder-\(direction.rawValue)"
    case .change(let pointer, let value?):
      "change-\(direction.rawValue) \(pointer) \(String(decoding: value, as: UTF8.self))"
    case .change(let pointer, nil): "remove-\(direction.rawValue) \(pointer)"
    case .status(let code): "status \(code)"
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
