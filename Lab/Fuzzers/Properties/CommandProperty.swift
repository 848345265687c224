// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// The input is a sequence of events for an authenticator, each with a length prefix. The authenticator must answer
/// every event with canonical CBOR or an error status.
func checkCommands(_ input: Bytes) throws(Violation) {
  let stage = try CommandStage()
  var reader = ByteReader(input)
  var count = 0
  while let event = try? reader.readByte(), count < CommandStage.longestSequence {
    count += 1
    let length = Int((try? reader.readUInt16()) ?? 0)
    let bytes = (try? reader.read(length)) ?? reader.readRest()
    try stage.play(event, bytes)
  }
  // After all events, the authenticator still answers getInfo.
  try stage.play(CTAPCommand.getInfo.rawValue, [])
}

/// An authenticator and its user.
private final class CommandStage {
  private let vault: MemoryVault
  private let clock = StageClock()
  private let user = StageUser()
  private let random = RandomSource.seeded([UInt8]("commands".utf8)[...])
  private var device: SoftwareAuthenticator

  /// Longer sequences reach no additional states.
  static let longestSequence = 64

  // Not a CTAP command.
  private static let powerCycle: UInt8 = 0xf0
  private static let message: UInt8 = 0xf1
  private static let time: UInt8 = 0xf2
  private static let refusal: UInt8 = 0xf3

  init() throws(Violation) {
    do throws(PasskeyCryptoError) {
      vault = MemoryVault(try .factory(random: random))
      device = try Self.device(vault, user, random, clock)
    } catch {
      throw Violation(description: "the device cannot be created: \(error)")
    }
  }

  func play(_ event: UInt8, _ bytes: Bytes) throws(Violation) {
    switch event {
    case Self.powerCycle:
      clock.reset()
      guard let next = try? Self.device(vault, user, random, clock) else {
        throw Violation(description: "the device fails after a power cycle")
      }
      device = next
    case Self.message:
      let reply = DrainingExecutor.run { [device] () async in await device.respond(toAPDU: bytes) }
      try require((reply?.count ?? 0) >= 2, "no status word")
    case Self.time:
      clock.advance(by: .seconds(bytes.reduce(0) { (sum, byte) in sum + Int(byte) }))
    case Self.refusal:
      user.refuse(bytes.count)
    default:
      try perform(CTAPCommand(rawValue: event), bytes)
    }
  }

  private func perform(_ command: CTAPCommand, _ bytes: Bytes) throws(Violation) {
    let result = DrainingExecutor.run { [device] () async -> Result<[UInt8], CTAPError> in
      do throws(CTAPError) {
        return .success(try await device.perform(command, [UInt8](bytes)))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let reply):
      let isWhole = reply.isEmpty || (try? CBORValue(parsing: reply, rules: .canonical).map) != nil
      try require(isWhole, "a reply to \(command.rawValue) that is not a map")
      try require(reply.count < 7609, "a reply of \(reply.count) bytes, more than a message holds")
    case .failure(let error):
      try require(error.status != .success, "success, thrown")
      try require(error.status != .other, "\(command.rawValue): \(error)")
      try require(command != .getInfo, "getInfo fails: \(error)")
    case nil:
      throw Violation(description: "command \(command.rawValue) waits for an external event")
    }
  }

  private static func device(
    _ vault: MemoryVault, _ user: StageUser, _ random: RandomSource, _ clock: StageClock
  ) throws(PasskeyCryptoError) -> SoftwareAuthenticator {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    // Generating an RSA key would dominate the run time.
    profile.algorithms = [.es256, .eddsa]
    profile.signing = .deterministic
    return try SoftwareAuthenticator(vault: vault, profile: profile, interaction: user, random: random, clock: clock)
  }
}

private final class StageClock: AuthenticatorClock {
  private let elapsed = Locked(Duration.zero)

  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) + uptime }
  var uptime: Duration { elapsed.withLock { (elapsed) in elapsed } }

  func advance(by duration: Duration) {
    elapsed.withLock { (elapsed) in elapsed += duration }
  }

  func reset() {
    elapsed.withLock { (elapsed) in elapsed = .zero }
  }
}

/// A user who consents, except in the interactions that the input selects.
private final class StageUser: UserInteraction {
  private let refusals = Locked(0)

  func refuse(_ count: Int) {
    refusals.withLock { (refusals) in refusals = count }
  }

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    agrees() ? .confirmed : .refused
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    agrees() ? .finger(1) : .timedOut
  }

  func cancel() async {}

  private func agrees() -> Bool {
    refusals.withLock { (refusals) in
      guard refusals > 0 else { return true }
      refusals -= 1
      return false
    }
  }
}
