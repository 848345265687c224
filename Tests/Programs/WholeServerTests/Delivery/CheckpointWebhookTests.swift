// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing

/// Checkpoints of the transparency log as webhooks.
@Suite struct CheckpointWebhookTests {
  @Test func `a webhook that wants them gets the newest checkpoint, and one that does not gets none`() async throws {
    let receiver = try await WebhookReceiver()
    let path = try receiver.deliveries([("log", ["audit.checkpoint"]), ("erp", ["account.*"])])
    let place = try await ServerPlace(.sqlite(), ["--deliveries", path])
    let server = try await ServerProcess.start(place)
    #expect(await receiver.waits { !$0.isEmpty })
    let received = try #require(receiver.accepted.first)
    #expect(received.destination == "log" && received.event == "audit.checkpoint" && received.isSigned)
    #expect(try await place.run("audit", "checkpoint") == received.values["checkpoint"])
    #expect(try await server.stop() == 0)
    #expect(receiver.accepted.count == 1)
  }
}
