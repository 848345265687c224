// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import PasskeyCrypto
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

/// A vault whose device is killed during writes.
@Suite struct KilledWriterTests {
  /// The number of kills.
  private static let rounds = Tier.choose(change: 10, merge: 25, night: 500)

  /// The vault is rewritten with each change, so a few hundred passkeys per vault suffice.
  private static let roundsOfOneVault = 25

  @Test func `acknowledged writes survive a killed device`() throws {
    var generator = PropertyRuns.generator(run: 0)
    var remaining = Self.rounds
    var acknowledgedCount = 0
    var unacknowledgedCount = 0
    while remaining > 0 {
      let folder = try TemporaryFolder()
      let path = folder.path + "/vault"
      _ = try FileVault.create(
        at: path, passphrase: SecretBytes(utf8: ""), cost: .test, state: .factory(random: .system))
      var acknowledged: Set<CredentialID> = []
      for _ in 0..<min(remaining, Self.roundsOfOneVault) {
        acknowledged.formUnion(try registerUntilKilled(path, after: .random(in: 1...60_000, using: &generator)))
        let kept = Set(try FileVault.open(at: path, passphrase: SecretBytes(utf8: "")).read().passkeys.map(\.id))
        #expect(kept.isSuperset(of: acknowledged), "\(acknowledged.subtracting(kept).count) passkeys are lost")
        // At most one passkey per round was written but not acknowledged.
        unacknowledgedCount += kept.subtracting(acknowledged).count
        acknowledged = kept
      }
      acknowledgedCount += acknowledged.count
      remaining -= Self.roundsOfOneVault
    }
    // Kills without any write in progress would prove nothing.
    #expect(acknowledgedCount > Self.rounds)
    #expect(unacknowledgedCount <= Self.rounds)
  }

  /// Registers users until the device is killed, so many microseconds after its first answer.
  private func registerUntilKilled(_ path: String, after microseconds: Int) throws -> Set<CredentialID> {
    let process = try AuthenticatorProcess(vault: path)
    var acknowledged: Set<CredentialID> = []
    let random = RandomSource.system
    acknowledged.insert(try process.register(random.bytes(16)))
    onOwnThread {
      usleep(UInt32(microseconds))
      process.kill()
    }
    while let id = try? process.register(random.bytes(16)) { acknowledged.insert(id) }
    return acknowledged
  }

  @Test func `two devices with one vault lose no changes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/vault"
    _ = try FileVault.create(
      at: path, passphrase: SecretBytes(utf8: ""), cost: .test, state: .factory(random: .system))
    let made = Locked<[CredentialID]>([])
    let group = DispatchGroup()
    for _ in 0..<2 {
      group.enter()
      onOwnThread {
        defer { group.leave() }
        guard let process = try? AuthenticatorProcess(vault: path) else { return }
        for _ in 0..<15 {
          guard let user = try? RandomSource.system.bytes(16), let id = try? process.register(user) else { return }
          made.withLock { (made) in made.append(id) }
        }
      }
    }
    group.wait()
    let acknowledged = made.withLock { (made) in made }
    #expect(acknowledged.count == 30)
    let vault = try FileVault.open(at: path, passphrase: SecretBytes(utf8: ""))
    #expect(try Set(vault.read().passkeys.map(\.id)) == Set(acknowledged))
  }
}
