// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

// [shown]
import Passkeys
import TraitLoggingStandIn

func makeRouter(_ endpoints: Endpoints, logger: Logger) throws -> EndpointRouter {
  try EndpointRouter(endpoints.routes, errors: endpoints.errors).recordingMetrics().logging(to: logger).tracing()
}
// [until here]

/// Compares the page about logs, metrics and traces with this file, and its versions with the manifest.
struct ObservingTests {
  private let page = "\(projectFolder)/Documentation/Observing.md"

  @Test func `the page shows the compiled code`() throws {
    let run = try ShownCode.regions(inSource: "\(projectFolder)/Tests/Service/PasskeysTests/ObservingTests.swift")
    #expect(
      try ShownCode.blocks(inDocument: page)
        == run.map { $0.replacing("import TraitLoggingStandIn", with: "import Logging") })
  }

  @Test func `the page names each trait with the oldest version that the manifest allows`() throws {
    let manifest = try ShownCode.lines(of: "\(projectFolder)/Package.swift").joined(separator: "\n")
    let text = try ShownCode.lines(of: page).joined(separator: "\n")
    let integrations = manifest.matches(
      of: /trait: "(\w+)", package: "([\w-]+)",\s+url: "[^"]+",\s+version: "(\d+\.\d+)\.0"/)
    #expect(integrations.count == 4)
    for integration in integrations {
      #expect(text.contains("| `\(integration.1)` | \(integration.2) \(integration.3) |"))
    }
  }
}
