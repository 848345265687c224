// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing
import WebAuthnClient
import WebAuthnTypes

@testable import PasskeyLoad

@Suite struct LoadReportTests {
  private static func report() throws -> LoadReport {
    let address = try ServerAddress("http://127.0.0.1:8080")
    let target = LoadTarget(server: address, profile: .raxx, origin: address.origin)
    var figures = LoadFigures(start: 0)
    var operation = OperationFigures()
    for value in 1...100 { operation.record(corrected: Int64(value) * 1_000, uncorrected: 900) }
    operation.record(failure: #"<script>alert("1")</script>"#)
    figures.operations = [.signIn: operation]
    figures.endpoints = ["sign-in-verify": operation]
    figures.duration = 10
    figures.seconds = (1...3_000).map { .init(time: Double($0), level: 10, successCount: 10, p99: 5_000) }
    var plan = LoadPlan.sample { $0.seed = #""><b>seed</b>"# }
    plan.objectives = [try Objective("p99<50ms"), try Objective("errors<5%")]
    return LoadReport(target, plan, start: UnixTime(secondsSince1970: 1_800_000_000), figures)
  }

  @Test func `the page escapes what the server and the user wrote, and refers to nothing`() throws {
    let html = try Self.report().html
    #expect(!html.contains("<script") && !html.contains("<b>") && html.contains("&lt;script&gt;"))
    for word in ["src=", "href=", "url(", "@import", "http://www", "xlink"] { #expect(!html.contains(word), "\(word)") }
    #expect(html.split(separator: "<svg").count == 4)
    #expect(html.contains("p99&lt;50ms: fails with"))
    #expect(!html.contains("seed"))
    #expect(html.utf8.count < 200_000)
  }

  @Test func `the object has the figures in milliseconds`() throws {
    let object = try JSON.parse(try Self.report().json[...], maximumSize: 1 << 20)
    let operation = try #require(try object.require("operations").array.first { _ in true })
    #expect(try operation.require("latency").require("p50").double == 50.015)
    #expect(try operation.require("uncorrectedLatency").require("p99").double == 0.9)
    #expect(try object.require("rate").double == 10 && object.require("failures").int64 == 1)
    #expect(try object.require("holds").bool == false)
    // The keys of accounts that stay are derived from it.
    #expect(try object["seed"] == nil)
  }

  @Test func `Prometheus text escapes labels and counts each outcome`() throws {
    let text = try Self.report().prometheus
    #expect(text.contains("passkey_load_operations_total{operation=\"sign-in\",outcome=\"success\"} 100\n"))
    #expect(text.contains(#"code="<script>alert(\"1\")</script>"} 1"#))
    #expect(text.contains("passkey_load_latency_seconds{operation=\"sign-in\",quantile=\"0.5\"} 0.05"))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
    }
  }

  @Test func `a load without a success fails, and has no latency`() throws {
    var figures = LoadFigures(start: 0)
    var operation = OperationFigures()
    for _ in 0..<3 { operation.record(failure: "http.too-many-requests") }
    figures.operations = [.signIn: operation]
    figures.duration = 1
    figures.seconds = [.init(time: 1, level: 3, failureCount: 3)]
    let address = try ServerAddress("http://127.0.0.1:8080")
    let target = LoadTarget(server: address, profile: .raxx, origin: address.origin)
    func report(_ figures: LoadFigures) -> LoadReport {
      LoadReport(target, .sample(), start: UnixTime(secondsSince1970: 1_800_000_000), figures)
    }
    let failed = report(figures)
    #expect(failed.lacksSuccess && !failed.holds)
    #expect(LatencyHistogram().text(0.5) == "-")
    #expect(!failed.html.contains("µs") && failed.html.contains("No operation succeeded."))
    #expect(!failed.prometheus.contains("quantile=\"0.5\"") && failed.prometheus.contains("passkey_load_holds 0.0\n"))
    let object = try JSON.parse(failed.json[...], maximumSize: 1 << 20)
    let latency = try #require(try object.require("operations").array.first { _ in true }).require("latency")
    for name in ["mean", "p50", "max"] { #expect(try latency.require(name).isNull, "\(name)") }
    #expect(try #require(try object.require("timeline").array.first { _ in true }).require("p99").isNull)
    // A load that was stopped before the first outcome tells nothing.
    var stopped = LoadFigures(start: 0)
    #expect(report(stopped).lacksSuccess)
    stopped.wasStopped = true
    #expect(report(stopped).holds)
    figures.wasStopped = true
    #expect(!report(figures).holds)
  }

  @Test func `a busy generator is reported as the limit`() throws {
    var figures = LoadFigures(start: 0)
    #expect(figures.bottlenecks.isEmpty)
    figures.processorShare = 0.97
    // It did not limit a load without operations.
    #expect(figures.bottlenecks.isEmpty)
    var operation = OperationFigures()
    operation.record(corrected: 5_000, uncorrected: 1)
    figures.operations = [.signIn: operation]
    #expect(figures.bottlenecks == ["its thread used 97 % of a processor"])
    figures.processorShare = 0.2
    for _ in 0..<100 { figures.lag.record(8_000) }
    #expect(figures.bottlenecks.count == 1)
  }
}
