// SPDX-License-Identifier: Apache-2.0

import ServiceProfiles
import Testing
import WebAuthnClient
import WebAuthnTypes
import WireFormats

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
    return LoadReport(target, plan, start: Timestamp(secondsSince1970: 1_800_000_000), figures)
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
