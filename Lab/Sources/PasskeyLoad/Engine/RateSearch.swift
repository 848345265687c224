// SPDX-License-Identifier: Apache-2.0

/// A search for the highest rate, or the largest number of clients, at which the objectives hold.
///
/// Doubles the level until the objectives fail, bisects to 5 %, and repeats the result: a level counts only if it holds
/// twice, and if the server rather than the generator failed above it.
package struct RateSearch: Sendable {
  /// One measurement.
  package struct Step: Sendable {
    package let level: Double
    package let holds: Bool
    /// Whether the generator may have limited the load.
    package let isOwnLimit: Bool
    package let figures: LoadFigures
  }

  /// The measurements, in their order.
  package private(set) var steps: [Step] = []

  /// The highest level that held twice; nil if none did, or if the generator was the limit.
  package private(set) var best: Double?

  /// Whether the user stopped the search.
  package private(set) var wasStopped = false

  /// The measurement that the user stopped.
  private var stopped = LoadFigures(start: LoadClock.secondsSince1970)

  /// The measurement at ``best``; otherwise the last complete one, or the stopped one.
  package var figures: LoadFigures { (steps.last { $0.level == best } ?? steps.last)?.figures ?? stopped }

  /// Whether the search ended at the limit of the generator rather than of the server.
  package private(set) var endedAtOwnLimit = false

  /// Why the search confirmed no level, for a search without a ``best`` one.
  package var failure: String {
    if wasStopped { return "the search was stopped before its end" }
    if endedAtOwnLimit { return "the search found no limit of the server: this program was the limit" }
    return steps.contains { $0.holds } ? "the objectives held at no level twice" : "the objectives held at no level"
  }

  /// ``failure`` as a sentence.
  package var failureSentence: String { "T\(failure.dropFirst())." }

  // 5 % [two runs of a server differ by as much]
  private static let precision = 1.05
  private static let maximumStepCount = 24

  /// Searches. `measure` runs a load at a level; the search ends when a load was stopped.
  ///
  /// - Parameters:
  ///   - first: The first level.
  ///   - limit: The highest level to try.
  ///   - objectives: The objectives.
  ///   - isWhole: Whether levels are whole numbers, as numbers of clients are.
  ///   - measure: Runs a load.
  package init(
    from first: Double, to limit: Double, _ objectives: [Objective], isWhole: Bool = false,
    measure: (Double) -> LoadFigures
  ) {
    var (low, high): (Double?, Double?) = (nil, nil)
    func rounded(_ level: Double) -> Double { isWhole ? max(1, level.rounded(.down)) : level }
    var level = rounded(min(first, limit))
    while steps.count < Self.maximumStepCount, let step = self.measure(level, objectives, measure) {
      if step.holds { low = level } else { high = level }
      if let low, high.map({ $0 / low <= Self.precision || isWhole && $0 - low <= 1 }) ?? (low >= rounded(limit)) {
        // One success may be luck.
        guard let again = self.measure(low, objectives, measure) else { return }
        guard !again.holds else {
          if !endedAtOwnLimit { best = low }
          return
        }
        (high, level) = (low, rounded(low / Self.precision))
      } else if let low {
        level = rounded(high.map { max((low * $0).squareRoot(), isWhole ? low + 1 : 0) } ?? min(low * 2, limit))
      } else {
        level = rounded(level / 4)
      }
      if high == low { low = nil }
      // One client is the fewest.
      guard level != high || !isWhole else { return }
      // One operation in ten seconds.
      guard level >= 0.1 else { return }
    }
  }

  private mutating func measure(
    _ level: Double, _ objectives: [Objective], _ measure: (Double) -> LoadFigures
  ) -> Step? {
    let figures = measure(level)
    guard !figures.wasStopped else {
      (wasStopped, stopped) = (true, figures)
      return nil
    }
    let isOwnLimit = !figures.bottlenecks.isEmpty
    let step = Step(
      level: level, holds: figures.holds(objectives) && !isOwnLimit, isOwnLimit: isOwnLimit, figures: figures)
    if !step.holds { endedAtOwnLimit = isOwnLimit }
    steps.append(step)
    return step
  }
}
