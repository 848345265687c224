// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats

/// A line chart in SVG, without scripts and without references to other files.
package struct LineChart {
  /// A line with its name and its color.
  package struct Line {
    let name: String
    /// A CSS class of the page: `a`, `b`, `c` or `d`.
    let style: String
    let points: [(x: Double, y: Double)]

    package init(name: String, style: String, points: [(x: Double, y: Double)]) {
      (self.name, self.style, self.points) = (name, style, points)
    }
  }

  let title: String
  /// The unit of the vertical axis.
  let unit: String
  /// The name of the horizontal axis.
  let axis: String
  let lines: [Line]
  /// Whether the vertical axis is logarithmic.
  let isLogarithmic: Bool
  /// Texts in place of the numbers of the horizontal axis.
  let ticks: [(x: Double, text: String)]

  /// Creates a chart.
  package init(
    title: String, unit: String, axis: String, lines: [Line], isLogarithmic: Bool = false,
    ticks: [(x: Double, text: String)] = []
  ) {
    (self.title, self.unit, self.axis, self.lines) = (title, unit, axis, lines)
    (self.isLogarithmic, self.ticks) = (isLogarithmic, ticks)
  }

  /// The rules of the classes that charts use.
  package static let style = """
    .grid{stroke:#d0d7de;stroke-width:1}.tick{font-size:11px;fill:#57606a}
    .end{text-anchor:end}.middle{text-anchor:middle}polyline,line.a,line.b,line.c,line.d{fill:none;stroke-width:1.6}
    .a{stroke:#0969da}.b{stroke:#bf8700}.c{stroke:#a40e26}.d{stroke:#8c959f;stroke-dasharray:4 3}
    """

  /// The chart as a file of its own.
  package var file: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width.fixed(0)) \(Self.height.fixed(0))" \
    font-family="system-ui,sans-serif">
    <style>\(Self.style)</style>
    <rect width="100%" height="100%" fill="#fff"/>
    \(svg)
    </svg>

    """
  }

  private static let width = 720.0
  private static let height = 240.0
  private static let left = 64.0
  private static let bottom = 40.0
  private static let top = 28.0
  private static let right = 28.0

  // 1,000 points a line [a screen has about as many columns]
  private static let maximumPointCount = 1_000

  /// The chart as an SVG element.
  var svg: String {
    let all = lines.flatMap(\.points).filter { $0.x.isFinite && $0.y.isFinite }
    let maximumX = max(all.map(\.x).max() ?? 1, 1e-9)
    let maximumY = max(all.map(\.y).max() ?? 1, 1e-9)
    let smallest = all.map(\.y).filter { $0 > 0 }.min() ?? 1
    let minimumY = isLogarithmic ? min(smallest, maximumY / 10) : 0
    func x(_ value: Double) -> Double { Self.left + value / maximumX * (Self.width - Self.left - Self.right) }
    func y(_ value: Double) -> Double {
      let share =
        isLogarithmic
        ? (Self.logarithm(max(value, minimumY)) - Self.logarithm(minimumY))
          / (Self.logarithm(maximumY) - Self.logarithm(minimumY))
        : value / maximumY
      return Self.height - Self.bottom - share * (Self.height - Self.bottom - Self.top)
    }
    var svg =
      "<svg viewBox=\"0 0 \(Self.width.fixed(0)) \(Self.height.fixed(0))\" role=\"img\">"
      + "<title>\(title.escapedForHTML)</title>"
    for step in 0...4 {
      let share = Double(step) / 4
      let value = isLogarithmic ? minimumY * Self.power(maximumY / minimumY, share) : maximumY * share
      let place = y(value)
      svg +=
        "<line class=\"grid\" x1=\"\(Self.left.fixed(1))\" x2=\"\((Self.width - Self.right).fixed(1))\" "
        + "y1=\"\(place.fixed(1))\" y2=\"\(place.fixed(1))\"/>"
        + "<text class=\"tick end\" x=\"\((Self.left - 6).fixed(1))\" y=\"\((place + 4).fixed(1))\">"
        + "\(Self.number(value))</text>"
    }
    let quarters = (0...4).map { maximumX * Double($0) / 4 }
    let marks = ticks.isEmpty ? quarters.map { ($0, Self.number($0)) } : ticks
    for (value, text) in marks {
      svg +=
        "<text class=\"tick middle\" x=\"\(x(value).fixed(1))\" y=\"\((Self.height - Self.bottom + 16).fixed(1))\">"
        + "\(text.escapedForHTML)</text>"
    }
    svg +=
      "<text class=\"tick middle\" x=\"\((Self.width / 2).fixed(1))\" y=\"\((Self.height - 6).fixed(1))\">"
      + "\(axis.escapedForHTML)</text>"
      + "<text class=\"tick\" x=\"0\" y=\"14\">\(unit.escapedForHTML)</text>"
    var place = Self.left
    for line in lines {
      // A second without operations has no latency.
      let points = Self.thinned(
        line.points.filter { $0.x.isFinite && $0.y.isFinite && (!isLogarithmic || $0.y > 0) })
      let path = points.map { "\(x($0.x).fixed(1)),\(y($0.y).fixed(1))" }.joined(separator: " ")
      svg += "<polyline class=\"\(line.style)\" points=\"\(path)\"/>"
      svg +=
        "<line class=\"\(line.style)\" x1=\"\(place.fixed(0))\" x2=\"\((place + 16).fixed(0))\" y1=\"10\" y2=\"10\"/>"
        + "<text class=\"tick\" x=\"\((place + 20).fixed(0))\" y=\"14\">\(line.name.escapedForHTML)</text>"
      place += 40 + 8 * Double(line.name.count)
    }
    return svg + "</svg>"
  }

  /// Keeps the highest point of each group, so that peaks stay visible.
  private static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard points.count > maximumPointCount else { return points }
    let size = (points.count + maximumPointCount - 1) / maximumPointCount
    return stride(from: 0, to: points.count, by: size).compactMap { (start) in
      points[start..<min(start + size, points.count)].max { $0.y < $1.y }
    }
  }

  private static func number(_ value: Double) -> String {
    switch value {
    case 0: "0"
    case ..<1: value.fixed(2)
    case ..<10: value.fixed(1)
    default: value.fixed(0)
    }
  }
}

extension LineChart {
  private static func logarithm(_ value: Double) -> Double { Glibc.log(value) }

  static func power(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
}
