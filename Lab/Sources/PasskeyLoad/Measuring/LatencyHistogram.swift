// SPDX-License-Identifier: Apache-2.0

/// Durations in microseconds, counted in logarithmic buckets with three significant digits.
///
/// The layout is that of HdrHistogram, so that its tools can read ``HistogramLog``. The buckets grow with the largest
/// recorded duration.
package struct LatencyHistogram: Sendable {
  /// The number of recorded durations for each bucket.
  private(set) var counts: [Int64] = []

  /// The number of recorded durations.
  package private(set) var count: Int64 = 0

  /// The longest recorded duration in microseconds, exactly.
  package private(set) var maximum: Int64 = 0

  private var sum: Double = 0

  /// Creates a histogram without durations.
  package init() {}

  // 1 h [longer than any time-out; the HdrHistogram tools reserve memory for this range]
  static let highestTrackable: Int64 = 3_600_000_000

  /// Three significant digits: 2 × 10³, rounded up to a power of two, for each doubling.
  static let significantDigits: Int32 = 3
  private static let halfCount = 1024
  private static let halfMagnitude = 10
  private static let mask: Int64 = 2047

  /// Records a duration in microseconds. A negative one counts as zero, one above an hour as an hour.
  package mutating func record(_ microseconds: Int64) {
    let value = max(0, min(microseconds, Self.highestTrackable))
    let index = Self.index(of: value)
    if index >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
    }
    counts[index] += 1
    count += 1
    maximum = max(maximum, value)
    sum += Double(value)
  }

  /// Adds the durations of another histogram.
  package mutating func add(_ other: LatencyHistogram) {
    if other.counts.count > counts.count {
      counts.append(contentsOf: repeatElement(0, count: other.counts.count - counts.count))
    }
    for (index, more) in other.counts.enumerated() where more > 0 { counts[index] += more }
    count += other.count
    maximum = max(maximum, other.maximum)
    sum += other.sum
  }

  /// The mean in microseconds; zero without durations.
  package var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// Returns the duration in microseconds that this share of the durations does not exceed, such as 0.99. Zero without
  /// durations.
  package func quantile(_ share: Double) -> Int64 {
    guard count > 0 else { return 0 }
    let wanted = max(1, Int64((max(0, min(share, 1)) * Double(count)).rounded(.up)))
    var seen: Int64 = 0
    for (index, number) in counts.enumerated() {
      seen += number
      if seen >= wanted { return min(Self.highestValue(at: index), maximum) }
    }
    return maximum
  }

  /// Returns the share of durations that exceed a limit in microseconds.
  package func share(above limit: Int64) -> Double {
    guard count > 0 else { return 0 }
    let first = Self.index(of: max(0, min(limit, Self.highestTrackable))) + 1
    return first < counts.count ? Double(counts[first...].reduce(0, +)) / Double(count) : 0
  }

  /// The buckets with durations, from the shortest: the longest duration of the bucket in microseconds, and the count.
  package var buckets: [(microseconds: Int64, count: Int64)] {
    counts.enumerated().compactMap { (index, number) in
      number > 0 ? (Self.highestValue(at: index), number) : nil
    }
  }

  static func index(of value: Int64) -> Int {
    let bucket = 64 - (value | mask).leadingZeroBitCount - (halfMagnitude + 1)
    return (bucket << halfMagnitude) + Int(value >> Int64(bucket))
  }

  private static func highestValue(at index: Int) -> Int64 {
    let bucket = max(0, (index >> halfMagnitude) - 1)
    let part = Int64(index - (bucket << halfMagnitude))
    return (part << Int64(bucket)) + (1 << Int64(bucket)) - 1
  }
}
