// SPDX-License-Identifier: Apache-2.0

/// The goal of a benchmark.
enum Goal {
  /// The time is at most this multiple of the raw operation's.
  case ratio(atMost: Double)
  /// One call takes at most this many microseconds.
  case microseconds(atMost: Double)
  /// Two threads do at least this multiple of the work of one.
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
