// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension LoadReport {
  /// The report as one JSON object. Latencies are in milliseconds, and null where nothing succeeded.
  package var json: [UInt8] { JSON.writeObject { (object) in write(into: &object) } }

  private func write(into object: inout JSONObjectWriter) {
    object.write("server", server)
    object.write("profile", profile)
    object.write("startedAt", start)
    object.write("model", plan.model.rawValue)
    object.write("arrivals", plan.arrivals.rawValue)
    object.write("seconds", .decimal(figures.duration))
    object.write("rate", .decimal(figures.rate))
    object.write("successes", .integer(figures.total.successCount))
    object.write("failures", .integer(figures.total.failureCount))
    object.write("stopped", .bool(wasStopped))
    object.write("holds", .bool(holds))
    object.writeArray("operations") { (array) in
      for (operation, figures) in operations {
        array.writeObject { write(figures, operation.rawValue, withUncorrected: true, into: &$0) }
      }
    }
    object.writeArray("endpoints") { (array) in
      for (name, figures) in endpoints {
        array.writeObject { write(figures, name, withUncorrected: false, into: &$0) }
      }
    }
    object.writeArray("timeline") { (array) in
      for second in figures.seconds { array.writeObject { Self.write(second, into: &$0) } }
    }
    object.writeObject("generator") { (object) in writeGenerator(into: &object) }
    object.writeArray("objectives") { (array) in
      for objective in plan.objectives {
        let value = objective.value(in: figures.figures(for: objective))
        array.writeObject { (object) in
          object.write("objective", objective.description)
          let unit = objective.metric == .errors ? 1.0 : 1_000
          object.write("value", value.flatMap { $0.isFinite ? .decimal($0 / unit) : nil } ?? .null)
          object.write("holds", .bool(objective.holds(value)))
        }
      }
    }
    if let search { object.writeObject("search") { (object) in Self.write(search, into: &object) } }
    object.writeObject("accounts") { (object) in
      object.write("created", .integer(prepared.total - prepared.failures.values.reduce(0, +)))
      Self.write(prepared.failures, into: &object)
      object.write("removed", .integer(removed.map { $0.count - $0.failures.values.reduce(0, +) } ?? 0))
      object.write("left", .integer(leftCount))
    }
    if let losses { object.writeObject("check") { (object) in Self.write(losses, into: &object) } }
  }

  private func write(
    _ figures: OperationFigures, _ name: String, withUncorrected: Bool, into object: inout JSONObjectWriter
  ) {
    object.write("name", name)
    object.write("successes", .integer(figures.successCount))
    object.write("failures", .integer(figures.failureCount))
    object.writeObject("latency") { (object) in Self.write(figures.corrected, into: &object) }
    if withUncorrected {
      object.writeObject("uncorrectedLatency") { (object) in Self.write(figures.uncorrected, into: &object) }
    }
    Self.write(figures.failures, into: &object)
  }

  private static func write(_ histogram: LatencyHistogram, into object: inout JSONObjectWriter) {
    let isEmpty = histogram.count == 0
    object.write("mean", isEmpty ? .null : .decimal(histogram.mean / 1_000))
    for (name, share) in LatencyHistogram.reported {
      object.write(name, isEmpty ? .null : .decimal(Double(histogram.quantile(share)) / 1_000))
    }
    object.write("max", isEmpty ? .null : .decimal(Double(histogram.maximum) / 1_000))
  }

  private static func write(_ failures: [String: Int], into object: inout JSONObjectWriter) {
    object.writeArray("errors") { (array) in
      for (code, count) in sorted(failures) {
        array.writeObject { (object) in
          object.write("code", code)
          object.write("count", .integer(count))
        }
      }
    }
  }

  private static func write(_ second: LoadFigures.Second, into object: inout JSONObjectWriter) {
    object.write("time", .decimal(second.time))
    object.write("planned", .decimal(second.level))
    object.write("rate", .decimal(second.rate))
    object.write("failures", .integer(second.failureCount))
    let quantiles = [("p50", second.median), ("p99", second.p99), ("p99.9", second.p999), ("max", second.maximum)]
    for (name, value) in quantiles {
      object.write(name, second.successCount == 0 ? .null : .decimal(Double(value) / 1_000))
    }
    object.write("processorShare", .decimal(second.processorShare))
  }

  private func writeGenerator(into object: inout JSONObjectWriter) {
    object.write("processorShare", .decimal(figures.processorShare))
    object.writeObject("lag") { (object) in Self.write(figures.lag, into: &object) }
    object.write("limited", .integer(figures.limitedCount))
    object.write("highestConcurrency", .integer(figures.highestConcurrency))
    object.write("abandoned", .integer(figures.abandonedCount))
    object.writeArray("bottlenecks") { (array) in for reason in figures.bottlenecks { array.write(reason) } }
  }

  private static func write(_ search: RateSearch, into object: inout JSONObjectWriter) {
    object.write("best", search.best.map { .decimal($0) } ?? .null)
    object.write("endedAtOwnLimit", .bool(search.endedAtOwnLimit))
    object.writeArray("steps") { (array) in
      for step in search.steps {
        array.writeObject { (object) in
          object.write("planned", .decimal(step.level))
          object.write("rate", .decimal(step.figures.rate))
          let latency = step.figures.total.corrected
          object.write("p99", latency.count == 0 ? .null : .decimal(Double(latency.quantile(0.99)) / 1_000))
          object.write("failures", .integer(step.figures.total.failureCount))
          object.write("holds", .bool(step.holds))
          object.write("ownLimit", .bool(step.isOwnLimit))
        }
      }
    }
  }

  private static func write(_ losses: Load.Losses, into object: inout JSONObjectWriter) {
    object.write("accounts", .integer(losses.checkedAccounts))
    object.write("sessions", .integer(losses.checkedSessions))
    object.write("endedSessions", .integer(losses.checkedEndedSessions))
    object.writeArray("lostAccounts") { (array) in
      for (name, code) in losses.accounts {
        array.writeObject { (object) in
          object.write("name", name)
          object.write("code", code)
        }
      }
    }
    object.write("lostSessions", .integer(losses.sessions))
    object.write("revivedSessions", .integer(losses.endedSessions))
    object.write("repetitions", .integer(losses.repetitions))
    object.write("acceptedRepetitions", .integer(losses.acceptedRepetitions))
    object.write("unknown", .integer(losses.unknown))
  }
}

extension JSONFragment {
  /// Returns a number with at most three decimals. Infinities and NaN become 0.
  fileprivate static func decimal(_ value: Double) -> Self {
    let rounded = value.isFinite ? (value * 1_000).rounded() / 1_000 : 0
    return (try? .number(rounded)) ?? 0
  }
}
