// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// A device under the test's control: its clock, its user's answers and its power.
struct TestDevice {
  let vault: MemoryVault
  let clock = WoundClock()
  let user = TestUser()
  let profile: AuthenticatorProfile
  private(set) var authenticator: SoftwareAuthenticator

  /// Creates a device in factory state, or with a modified state.
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

  /// Disconnects and reconnects the device.
  mutating func cyclePower() throws {
    authenticator = try SoftwareAuthenticator(vault: vault, profile: profile, interaction: user, clock: clock)
  }

  /// The persistent state.
  var state: DeviceState {
    get throws { try vault.read() }
  }

  /// Creates a platform that uses the device.
  func platform(_ version: TestPINProtocol = .two) -> TestPlatform {
    TestPlatform(authenticator: authenticator, version: version)
  }
}

extension AuthenticatorProfile {
  /// A profile with every feature. Its vault stores every credential, so that tests can inspect each.
  static var forTests: AuthenticatorProfile {
    var profile = AuthenticatorProfile.withoutSensor
    profile.hasFingerprintSensor = true
    return profile
  }

  /// The same profile without a fingerprint sensor.
  static var withoutSensor: AuthenticatorProfile {
    var profile = AuthenticatorProfile.securityKey
    profile.sealsNonDiscoverableCredentials = false
    return profile
  }
}

/// A clock that only the test advances.
final class WoundClock: AuthenticatorClock {
  private let elapsed = Locked(Duration.zero)

  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) + uptime }
  var uptime: Duration { elapsed.withLock { (elapsed) in elapsed } }

  func advance(by duration: Duration) {
    elapsed.withLock { (elapsed) in elapsed += duration }
  }
}

/// A user with scripted answers, and a default after these.
final class TestUser: UserInteraction {
  private struct Script {
    var presences: [PresenceAnswer] = []
    var fingers: [FingerAnswer] = []
    var usualPresence = PresenceAnswer.confirmed
    var usualFinger = FingerAnswer.finger(0)
    var asked: [InteractionPurpose] = []
  }

  private let script = Locked(Script())

  /// The questions in sequence.
  var asked: [InteractionPurpose] { script.withLock { (script) in script.asked } }

  /// Appends answers of the sensor to the script.
  func willGive(fingers: FingerAnswer...) {
    script.withLock { (script) in script.fingers += fingers }
  }

  /// Appends answers to presence questions to the script.
  func willGive(presences: PresenceAnswer...) {
    script.withLock { (script) in script.presences += presences }
  }

  /// Sets the sensor's default answer.
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
