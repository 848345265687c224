// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The one among `candidates` that was probably meant, if any is near enough.
  package func nearest(among candidates: [String]) -> String? {
    let ranked = candidates.map { (candidate: $0, distance: distance(to: $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    // One slip for each three letters.
    return best.distance <= Swift.max(1, count / 3) ? best.candidate : nil
  }

  /// How many letters must be added, left out or replaced to get from one to the other (Levenshtein's distance).
  private func distance(to other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
