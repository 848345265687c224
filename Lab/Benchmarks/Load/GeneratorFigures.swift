// SPDX-License-Identifier: Apache-2.0

internal import PasskeyLoad

/// The results of `--load`, as text and as JSON.
struct GeneratorFigures {
  /// The same sign-ins, measured by the generator and by the server.
  struct Agreement {
    let client: LoadRound
    /// Microseconds of each sign-in.
    let server: [Double]

    func client(_ part: Double) -> Double { Double(client.signIns.quantile(part)) / 1000 }
    func server(_ part: Double) -> Double { server.quantile(part) / 1000 }

    /// The difference of the 99th percentiles, relative to the server's.
    var difference: Double { abs(client(0.99) - server(0.99)) / server(0.99) }
  }

  let rounds: [LoadRound]
  let agreement: Agreement

  /// The sign-ins per second of one processor.
  private var rates: [Double] { rounds.map { Double($0.count) / $0.clientTime } }
  private var ratios: [Double] { zip(rates, rounds).map { $0 / $1.raw } }
  private var wallRates: [Double] { rounds.map { Double($0.count) / $0.seconds } }
  private var shares: [Double] { rounds.map { $0.clientTime / $0.seconds } }

  // 4,000 a second on an idle machine, or this ratio on any.
  private var isFast: Bool { rates.median >= 4000 || ratios.median >= 0.2 }
  private var agrees: Bool { agreement.difference <= 0.05 }

  private var members: [(name: String, value: Double, places: Int, line: String)] {
    [
      ("signInsPerProcessorSecond", rates.median, 0, "sign-ins per second of the generator's CPU time"),
      ("microsecondsPerSignIn", 1e6 / rates.median, 1, "its CPU time for a sign-in, µs"),
      ("rawPerSecond", rounds.map(\.raw).median, 0, "raw P-256 verifications per second of CPU time"),
      ("ratioToRaw", ratios.median, 3, "sign-ins by raw verifications, ×"),
      ("signInsPerSecond", wallRates.median, 0, "sign-ins per second of wall time"),
      ("processorShare", shares.median * 100, 0, "the generator's share of a processor meanwhile, %"),
      ("p50Generator", agreement.client(0.5), 2, "p50 of delayed sign-ins, generator, ms"),
      ("p50Server", agreement.server(0.5), 2, "p50 of delayed sign-ins, server, ms"),
      ("p99Generator", agreement.client(0.99), 2, "p99 of delayed sign-ins, generator, ms"),
      ("p99Server", agreement.server(0.99), 2, "p99 of delayed sign-ins, server, ms"),
      ("p99Difference", agreement.difference * 100, 2, "difference of the p99, %"),
    ]
  }

  /// One line for each figure and each goal.
  var table: String {
    func goal(_ text: String, _ isMet: Bool) -> String { "goal \(text): \(isMet ? "met" : "NOT MET")" }
    let lines = members.map { padded($0.line, 52) + padded(decimals($0.value, $0.places), 10, right: true) }
    let goals = [
      goal("≥ 4,000 sign-ins/s of CPU time, or ≥ 0.2 × raw", isFast), goal("difference of the p99 ≤ 5 %", agrees),
    ]
    return (lines + goals).joined(separator: "\n")
  }

  /// One object.
  var json: String {
    let figures = members.map { #""\#($0.name)": \#(decimals($0.value, 4))"# }
    return "{\((figures + [#""isFast": \#(isFast)"#, #""agrees": \#(agrees)"#]).joined(separator: ", "))}"
  }
}
