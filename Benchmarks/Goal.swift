// SPDX-License-Identifier: Apache-2.0

/// What a figure must be.
enum Goal {
  /// The time is no more than so many times the raw operation's.
  case ratio(atMost: Double)
  /// The time of one call is no more than so many microseconds.
  case microseconds(atMost: Double)
  /// Two threads do at least so many times what one does.
  case scaling(atLeast: Double)

  func isMet(by figure: Figure) -> Bool {
    switch self {
    case .ratio(let limit): figure.ratioToRaw <= limit
    case .microseconds(let limit): figure.nanoseconds <= limit * 1_000
    case .scaling(let limit): figure.scaling ?? 0 >= limit
    }
  }
}

extension Goal: CustomStringConvertible {
  /// The goal as a table shows it.
  var description: String {
    switch self {
    case .ratio(let limit): "≤ \(limit) × raw"
    case .microseconds(let limit): "≤ \(limit) µs"
    case .scaling(let limit): "≥ \(limit) × one thread"
    }
  }
}
