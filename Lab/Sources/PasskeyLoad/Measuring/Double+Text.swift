// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// The number with this many decimals. Infinities and NaN become 0.
  package func fixed(_ places: Int) -> String {
    guard isFinite, magnitude < 1e15 else { return "0" }
    var unit: Int64 = 1
    for _ in 0..<max(0, min(places, 3)) { unit *= 10 }
    let number = Int64((self * Double(unit)).rounded())
    guard unit > 1 else { return "\(number)" }
    let (whole, part) = number.magnitude.quotientAndRemainder(dividingBy: unit.magnitude)
    let digits = "\(part)"
    return "\(number < 0 ? "-" : "")\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// A duration in microseconds as text: `830 µs`, `12.3 ms`, `4.56 s`.
  package var asDuration: String {
    switch self {
    case ..<1_000: "\(fixed(0)) µs"
    case ..<10_000: "\((self / 1_000).fixed(2)) ms"
    case ..<1_000_000: "\((self / 1_000).fixed(1)) ms"
    default: "\((self / 1_000_000).fixed(2)) s"
    }
  }
}
