// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebAuthnAuthenticator

struct GestureInteractionTests {
  private let user = GestureInteraction(timeLimit: .seconds(600))

  /// Calls `body` once the device waits for its user.
  private func whenWaiting(_ body: () async -> Void) async {
    while !user.isWaiting { await Task.yield() }
    await body()
  }

  private func presence(
    _ gesture: GestureInteraction.Gesture
  ) async -> PresenceAnswer {
    async let answer = user.confirmPresence(for: InteractionPurpose(.selectDevice))
    await whenWaiting { user.perform(gesture) }
    return await answer
  }

  private func finger(_ gesture: GestureInteraction.Gesture) async -> FingerAnswer {
    async let answer = user.readFinger(for: InteractionPurpose(.selectDevice))
    await whenWaiting { user.perform(gesture) }
    return await answer
  }

  @Test func `any fingerprint is a touch, and a refusal is a refusal`() async {
    #expect(await presence(.touch(finger: 0)) == .confirmed)
    #expect(await presence(.touch(finger: 9)) == .confirmed)
    #expect(await presence(.refuse) == .refused)
    #expect(!user.isWaiting)
  }

  @Test func `the sensor reports the fingerprint`() async {
    #expect(await finger(.touch(finger: 3)) == .finger(3))
    #expect(await finger(.refuse) == .refused)
  }

  @Test func `a gesture without a waiting command is dropped`() async {
    user.perform(.refuse)
    await user.cancel()
    #expect(await presence(.touch(finger: 0)) == .confirmed)
  }

  @Test func `a cancellation ends the wait`() async {
    async let answer = user.confirmPresence(for: InteractionPurpose(.selectDevice))
    await whenWaiting { await user.cancel() }
    #expect(await answer == .cancelled)
  }

  @Test func `a wait ends at its time limit`() async {
    let hasty = GestureInteraction(timeLimit: .milliseconds(1))
    #expect(await hasty.confirmPresence(for: InteractionPurpose(.selectDevice)) == .timedOut)
    #expect(await hasty.readFinger(for: InteractionPurpose(.selectDevice)) == .timedOut)
  }

  @Test func `the time limit of one wait does not end the next`() async throws {
    // A gesture ends a short wait. A longer one then exceeds the limit of the first.
    let limited = InteractionPurpose(.selectDevice, timeLimit: .milliseconds(200))
    async let short = user.confirmPresence(for: limited)
    // The gesture ends the first wait, unless a slow machine has already exceeded the limit.
    for _ in 0..<10_000 where !user.isWaiting { await Task.yield() }
    user.perform(.touch(finger: 0))
    _ = await short
    async let long = user.confirmPresence(for: InteractionPurpose(.selectDevice))
    while !user.isWaiting { await Task.yield() }
    // A wait that began later has exceeded the same limit.
    #expect(await GestureInteraction().confirmPresence(for: limited) == .timedOut)
    user.perform(.touch(finger: 0))
    #expect(await long == .confirmed)
  }

  @Test func `a second wait replaces the first`() async {
    async let first = user.confirmPresence(for: InteractionPurpose(.selectDevice))
    while !user.isWaiting { await Task.yield() }
    async let second = user.readFinger(for: InteractionPurpose(.selectDevice))
    #expect(await first == .cancelled)
    user.perform(.touch(finger: 2))
    #expect(await second == .finger(2))
  }
}
