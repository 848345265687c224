// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

struct CommandRunnerTests {
  @Test func `a request that needs no user is finished when start returns`() async throws {
    let counts = try await waiting {
      let replies = Locked<[DeviceReply]>([])
      let runner = CommandRunner(StubKey(interaction: GestureInteraction())) { false }
      return (1...20).map { (_) in
        let isStarted = runner.start(.cbor([0x04, 0xa0])) { (_) in
        } finish: { (reply) in
          replies.withLock { (replies) in replies.append(reply) }
        }
        let isRight = replies.withLock { (replies) in replies.last.map { $0.status == .success && $0.body == [0xa0] } }
        return isStarted && isRight == true ? replies.withLock { (replies) in replies.count } : nil
      }
    }
    #expect(counts == Array(1...20))
  }

  @Test func `a request that needs the user is finished after the gesture`() async throws {
    let gestures = GestureInteraction(timeLimit: .seconds(HangGuard.seconds))
    let runner = CommandRunner(StubKey(interaction: gestures)) { gestures.isWaiting }
    let replies = Locked<[DeviceReply]>([])
    try await waiting {
      _ = runner.start(.cbor([0x0b])) { (_) in
      } finish: { (reply) in
        replies.update { (replies) in replies.append(reply) }
      }
    }
    #expect(gestures.isWaiting)
    let isSecondStarted = runner.start(.cbor([0x04]), keepAlive: { (_) in }, finish: { (_) in })
    #expect(!isSecondStarted)
    gestures.perform(.refuse)
    let status = try await waiting {
      replies.wait(until: .now + .seconds(HangGuard.seconds)) { (replies) in replies.first?.status }
    }
    #expect(status == .operationDenied)
  }
}
