// SPDX-License-Identifier: Apache-2.0

/// What is known of a request that was to change something at the server, and failed.
public enum WriteOutcome: String, Hashable, Sendable, CaseIterable {
  /// It was cancelled before any of it was sent: nothing was changed.
  case notSent = "not-sent"

  /// It may have reached the server, which may have carried it out. Only the server can say.
  case unknown
}

extension WriteOutcome: CustomStringConvertible {
  /// What a person is told.
  public var description: String {
    switch self {
    case .notSent: "cancelled before it was sent"
    case .unknown: "it is not known whether the server carried it out"
    }
  }
}
