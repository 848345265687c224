// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// A user who never answers. The wait ends only when the device cancels it.
private final class AbsentUser: UserInteraction {
  private let state = Locked((isCancelled: false, isAsked: false))

  var isAsked: Bool { state.withLock { (state) in state.isAsked } }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    state.withLock { (state) in state = (false, true) }
    while !state.withLock({ (state) in state.isCancelled }) { try? await Task.sleep(for: .milliseconds(5)) }
    return .cancelled
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer { .cancelled }

  func cancel() async {
    state.withLock { (state) in state.isCancelled = true }
  }
}

@Suite(.serialized) struct CeremonyClockTests {
  private static func hurried(_ limit: Duration = .seconds(2)) -> ClientPolicy {
    var policy = ClientPolicy()
    policy.timeouts = .milliseconds(1)...limit
    policy.defaultTimeout = limit
    return policy
  }

  @Test(arguments: Reach.allCases)
  func `a ceremony without a user times out, and the device is cancelled`(_ reach: Reach) async throws {
    // A slow machine may need longer to ask its user than the first limit allows.
    for limit in [Duration.seconds(2), .seconds(20), .seconds(200)] {
      let user = AbsentUser()
      let world = try World(reach, touch: user, clientPolicy: Self.hurried(limit))
      let error = try await failure { try await world.client.create(world.creationOptions()) }
      #expect(error?.code == .timedOut)
      #expect(error?.domName == "NotAllowedError")
      // The device is free again.
      _ = try await world.authenticator.perform(.getInfo, [])
      if user.isAsked { return }
    }
    Issue.record("the user was never asked")
  }

  @Test(arguments: Reach.allCases)
  func `cancelling the task cancels the device`(_ reach: Reach) async throws {
    let user = AbsentUser()
    let world = try World(reach, touch: user)
    let task = Task { try await failure { try await world.client.create(world.creationOptions()) } }
    while !user.isAsked { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    let error = try await task.value
    #expect(error?.code == .aborted)
    #expect(error?.domName == "AbortError")
    _ = try await world.authenticator.perform(.getInfo, [])
    #expect(try world.vault.read().passkeys.isEmpty)
  }

  @Test func `a task cancelled earlier asks no device`() async throws {
    let world = try World()
    let device = RewritingAuthenticator(world.device)
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await failure { try await client.create(world.creationOptions()) }
    }
    task.cancel()
    #expect(try await task.value?.code == .aborted)
    #expect(device.asked.withLock { (asked) in asked.isEmpty })
  }

  @Test func `a device that never answers is abandoned`() async throws {
    let device = FakeAuthenticator { (_, _) throws(CTAPError) in
      try? await Task.sleep(for: .seconds(1200))
      // Ignores the cancellation of its task.
      while true { await Task { try? await Task.sleep(for: .seconds(60)) }.value }
    }
    let world = try World()
    let client = Client(
      origin: world.client.origin, authenticator: device, interaction: world.interaction, policy: Self.hurried())
    let start = ContinuousClock.now
    #expect(try await failure { try await client.get(world.requestOptions()) }?.code == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(HangGuard.seconds))
    #expect(device.cancellations.withLock { (count) in count } > 1)
  }

  @Test(
    arguments: [
      (nil, 300_000), (0, 300_000), (60_000, 300_000), (300_001, 300_001), (600_000, 600_000), (UInt32.max, 600_000),
    ] as [(UInt32?, Int64)])
  func `an unreasonable time-out is replaced by a reasonable one`(_ requested: UInt32?, _ milliseconds: Int64) {
    #expect(ClientPolicy().timeout(requested: requested) == .milliseconds(milliseconds))
  }
}
