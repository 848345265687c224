// SPDX-License-Identifier: Apache-2.0

extension LoadReport {
  /// The report in the Prometheus text format (version 0.0.4), for a text file collector or a push gateway.
  package var prometheus: String {
    var text = PrometheusText()
    text.family("passkey_load_operations_total", "counter", "Operations by outcome.")
    for (operation, figures) in operations {
      for (outcome, count) in [("success", figures.successCount), ("failure", figures.failureCount)] {
        text.line(
          "passkey_load_operations_total", [("operation", operation.rawValue), ("outcome", outcome)], "\(count)")
      }
    }
    text.family("passkey_load_errors_total", "counter", "Failed operations by code.")
    for (operation, figures) in operations {
      for (code, count) in Self.sorted(figures.failures) {
        text.line("passkey_load_errors_total", [("operation", operation.rawValue), ("code", code)], "\(count)")
      }
    }
    text.summary(
      "passkey_load_latency_seconds", "Latencies from the intended start.", "operation",
      operations.map { ($0.operation.rawValue, $0.figures.corrected) })
    text.summary(
      "passkey_load_uncorrected_latency_seconds", "Latencies from the actual start.", "operation",
      operations.map { ($0.operation.rawValue, $0.figures.uncorrected) })
    text.summary(
      "passkey_load_request_seconds", "Durations of requests.", "endpoint",
      endpoints.map { ($0.name, $0.figures.corrected) })
    let gauges: [(String, String, Double)] = [
      ("passkey_load_rate", "Successful operations per second.", figures.rate),
      ("passkey_load_duration_seconds", "Duration of the measured phases.", figures.duration),
      ("passkey_load_processor_share", "CPU time of the generator by elapsed time.", figures.processorShare),
      (
        "passkey_load_lag_seconds", "99 % of the operations start at most this late.",
        Double(figures.lag.quantile(0.99)) / 1e6
      ),
      (
        "passkey_load_generator_is_bottleneck", "1 if the generator limited the load.",
        figures.bottlenecks.isEmpty ? 0 : 1
      ),
      ("passkey_load_holds", "1 if an operation succeeded, all objectives hold and nothing was lost.", holds ? 1 : 0),
    ]
    for (name, help, value) in gauges {
      text.family(name, "gauge", help)
      text.line(name, [], "\(value)")
    }
    return text.text
  }
}

/// A writer of Prometheus text.
private struct PrometheusText {
  private(set) var text = ""

  mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
  }

  mutating func summary(_ name: String, _ help: String, _ label: String, _ series: [(String, LatencyHistogram)]) {
    family(name, "summary", help)
    for (value, histogram) in series {
      for (_, share) in LatencyHistogram.reported where histogram.count > 0 {
        line(name, [(label, value), ("quantile", "\(share)")], "\(Double(histogram.quantile(share)) / 1e6)")
      }
      line(name + "_sum", [(label, value)], "\(histogram.mean * Double(histogram.count) / 1e6)")
      line(name + "_count", [(label, value)], "\(histogram.count)")
    }
  }

  private static func escaped(_ value: String) -> String {
    value.map { (character) in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
  }
}
