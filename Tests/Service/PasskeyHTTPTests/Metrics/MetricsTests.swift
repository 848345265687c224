// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import Testing

struct MetricsTests {
  @Test func `numbers have the Prometheus format`() {
    let metrics = MetricsRegistry()
    let requests = metrics.counters("requests_total", "Requests.", labels: ["route", "status"])
    requests["/b", "200"].add()
    requests["/a\"\\\n", "200"].add(2)
    requests["/b", "200"].add()
    metrics.gauges("open", "Open.")[].set(-3)
    metrics.observe("asked", "Asked.") { 7 }
    let times = metrics.histograms("seconds", "Times.", labels: ["r"], bounds: [.milliseconds(500), .seconds(2)])
    times["x"].observe(.milliseconds(500))
    times["x"].observe(.seconds(1))
    times["x"].observe(.seconds(3))
    _ = metrics.counters("never_used_total", "Nothing.", labels: ["l"])
    #expect(
      metrics.text == #"""
        # HELP requests_total Requests.
        # TYPE requests_total counter
        requests_total{route="/a\"\\\n",status="200"} 2
        requests_total{route="/b",status="200"} 2
        # HELP open Open.
        # TYPE open gauge
        open -3
        # HELP asked Asked.
        # TYPE asked gauge
        asked 7
        # HELP seconds Times.
        # TYPE seconds histogram
        seconds_bucket{r="x",le="0.5"} 1
        seconds_bucket{r="x",le="2"} 2
        seconds_bucket{r="x",le="+Inf"} 3
        seconds_sum{r="x"} 4.5
        seconds_count{r="x"} 3

        """#)
  }

  @Test func `clients cannot fill the memory with labels`() {
    let metrics = MetricsRegistry()
    let counters = metrics.counters("c_total", "C.", labels: ["l"])
    for number in 0..<10_000 { counters[String(number)].add() }
    let lines = metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == 257)
    #expect(lines.contains(#"c_total{l="other"} 9744"#))
  }

  @Test func `concurrent counts are not lost`() async {
    let metrics = MetricsRegistry()
    let counters = metrics.counters("c_total", "C.", labels: ["l"])
    await withTaskGroup { (group) in
      for task in 0..<8 {
        group.addTask { for _ in 0..<1_000 { counters[task.isMultiple(of: 2) ? "a" : "b"].add() } }
      }
    }
    #expect(counters["a"].value == 4_000)
    #expect(counters["b"].value == 4_000)
  }
}
