// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import SystemIO
import TestSupport
import WebAuthnTypes
import WireFormats

@testable import WebAuthnAuthenticator

/// A device in a tester's hands: its clock is wound, its user says what the test wants, and it can be pulled out and put
/// back.
struct TestDevice {
  let vault: MemoryVault
  let clock = WoundClock()
  let user = TestUser()
  let profile: AuthenticatorProfile
  private(set) var authenticator: SoftwareAuthenticator

  /// A device from the factory, or with something in it.
  init(
    _ profile: AuthenticatorProfile = .forTests, random: RandomSource = .system,
    prepare: (inout DeviceState) throws -> Void = { _ in }
  ) throws {
    var state = try DeviceState.factory(random: random)
    try prepare(&state)
    vault = MemoryVault(state)
    self.profile = profile
    authenticator = try SoftwareAuthenticator(
      vault: vault, profile: profile, interaction: user, random: random, clock: clock)
  }

  /// Pulls it out and puts it back.
  mutating func cyclePower() throws {
    authenticator = try SoftwareAuthenticator(vault: vault, profile: profile, interaction: user, clock: clock)
  }

  /// What it remembers.
  var state: DeviceState {
    get throws { try vault.read() }
  }

  /// A platform that talks to it.
  func platform(_ version: TestPINProtocol = .two) -> TestPlatform {
    TestPlatform(authenticator: authenticator, version: version)
  }
}

extension AuthenticatorProfile {
  /// A device that has everything. Its vault keeps every credential, so that tests can look at each.
  static var forTests: AuthenticatorProfile {
    var profile = AuthenticatorProfile.withoutSensor
    profile.hasFingerprintSensor = true
    return profile
  }

  /// One that has no sensor.
  static var withoutSensor: AuthenticatorProfile {
    var profile = AuthenticatorProfile.securityKey
    profile.sealsNonDiscoverableCredentials = false
    return profile
  }
}

/// A clock that stands still until it is wound.
final class WoundClock: AuthenticatorClock {
  private let elapsed = Locked(Duration.zero)

  var now: Timestamp { Timestamp(secondsSince1970: 1_800_000_000) + uptime }
  var uptime: Duration { elapsed.withLock { (elapsed) in elapsed } }

  func advance(by duration: Duration) {
    elapsed.withLock { (elapsed) in elapsed += duration }
  }
}

/// A user who does what the test says: first what was scripted, then always the same.
final class TestUser: UserInteraction {
  private struct Script {
    var presences: [PresenceAnswer] = []
    var fingers: [FingerAnswer] = []
    var usualPresence = PresenceAnswer.confirmed
    var usualFinger = FingerAnswer.finger(0)
    var asked: [InteractionPurpose] = []
  }

  private let script = Locked(Script())

  /// What it was asked, in order.
  var asked: [InteractionPurpose] { script.withLock { (script) in script.asked } }

  /// Says what comes next from the sensor.
  func willGive(fingers: FingerAnswer...) {
    script.withLock { (script) in script.fingers += fingers }
  }

  /// Says what comes next for a touch.
  func willGive(presences: PresenceAnswer...) {
    script.withLock { (script) in script.presences += presences }
  }

  /// Says what comes from the sensor when nothing else was said.
  func usuallyGives(finger: FingerAnswer) {
    script.withLock { (script) in script.usualFinger = finger }
  }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    script.withLock { (script) in
      script.asked.append(purpose)
      return script.presences.isEmpty ? script.usualPresence : script.presences.removeFirst()
    }
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    script.withLock { (script) in
      script.asked.append(purpose)
      return script.fingers.isEmpty ? script.usualFinger : script.fingers.removeFirst()
    }
  }

  func cancel() async {}
}
