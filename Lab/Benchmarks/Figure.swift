// SPDX-License-Identifier: Apache-2.0

/// The result of a benchmark, as text and as JSON.
struct Figure {
  let name: String

  /// The name of the reference.
  let raw: String

  /// The time of one call in nanoseconds.
  let nanoseconds: Double

  /// The time as a multiple of the raw operation's.
  let ratioToRaw: Double

  /// The throughput of two threads relative to one.
  let scaling: Double?

  /// The spread of the rounds relative to the time.
  let spread: Double

  /// The allocations of one call.
  let allocations: Int

  /// The goal, if any.
  let goal: Goal?

  private let bytesPerSecond: Double?

  init(_ benchmark: Benchmark, _ measurement: Measurement) {
    name = benchmark.name
    raw = benchmark.raw
    nanoseconds = measurement.nanoseconds
    ratioToRaw = measurement.ratios[0]
    scaling = measurement.ratios.dropFirst().first.map { 1 / $0 }
    spread = measurement.spread
    allocations = measurement.allocations
    goal = benchmark.goal
    bytesPerSecond = benchmark.byteCount.map { Double($0) * 1e9 / measurement.nanoseconds }
  }

  private var operationsPerSecond: Double { 1e9 / nanoseconds }

  /// The column heads of ``line``.
  static let heads =
    padded("", 36) + padded("time", 12, right: true) + padded("per second", 14, right: true)
    + padded("× raw", 9, right: true) + padded("spread", 9, right: true)
    + padded("mallocs", 9, right: true)

  /// One line of a table.
  var line: String {
    let ratio = name == raw ? "" : decimals(ratioToRaw, ratioToRaw < 0.1 ? 4 : 2)
    var line =
      padded(name, 36) + padded(time, 12, right: true) + padded(decimals(operationsPerSecond, 0), 14, right: true)
      + padded(ratio, 9, right: true) + padded("\(decimals(spread * 100, 0)) %", 9, right: true)
      + padded("\(allocations)", 9, right: true)
    if let bytesPerSecond { line += "  \(decimals(bytesPerSecond / 1e9, 2)) GB/s" }
    if let scaling { line += "  \(decimals(scaling, 2)) × one thread" }
    if let goal { line += "  goal \(goal): \(goal.isMet(by: self) ? "met" : "NOT MET")" }
    return line
  }

  /// One object of an array.
  var json: String {
    var members = [
      #""name": "\#(name)""#,
      #""nanoseconds": \#(decimals(nanoseconds, 2))"#,
      #""opsPerSecond": \#(decimals(operationsPerSecond, 1))"#,
      #""ratioToRaw": \#(decimals(ratioToRaw, 5))"#,
      #""raw": "\#(raw)""#,
      #""allocations": \#(allocations)"#,
      #""spread": \#(decimals(spread, 4))"#,
    ]
    if let bytesPerSecond { members.append(#""bytesPerSecond": \#(decimals(bytesPerSecond, 0))"#) }
    if let scaling { members.append(#""scaling": \#(decimals(scaling, 3))"#) }
    if let goal { members.append(#""goal": "\#(goal)", "goalIsMet": \#(goal.isMet(by: self))"#) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private var time: String {
    nanoseconds < 1_000 ? "\(decimals(nanoseconds, 1)) ns" : "\(decimals(nanoseconds / 1_000, 2)) µs"
  }
}

func decimals(_ number: Double, _ places: Int) -> String {
  var unit = 1.0
  for _ in 0..<places { unit *= 10 }
  let scaled = Int((number * unit).rounded())
  let digits = String(scaled.magnitude)
  guard places > 0 else { return digits }
  let filled = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  return (scaled < 0 ? "-" : "") + filled.dropLast(places) + "." + filled.suffix(places)
}

func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
  let room = String(repeating: " ", count: max(1, width - text.count))
  return right ? room + text : text + room
}
