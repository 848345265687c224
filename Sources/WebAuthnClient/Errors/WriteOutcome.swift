// SPDX-License-Identifier: Apache-2.0

/// The outcome of a failed request that would have changed state on the server.
public enum WriteOutcome: String, Hashable, Sendable, CaseIterable {
  /// The request was cancelled before any of it was sent: nothing changed.
  case notSent = "not-sent"

  /// The request may have reached the server, and the server may have executed it.
  case unknown
}

extension WriteOutcome: CustomStringConvertible {
  /// The outcome in words, for people.
  public var description: String {
    switch self {
    case .notSent: "cancelled before it was sent"
    case .unknown: "it is unknown whether the server executed it"
    }
  }
}
