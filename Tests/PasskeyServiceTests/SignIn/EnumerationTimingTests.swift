// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyService
import PasskeyStorage
import ServiceTestSupport
import SystemCrypto
import TestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// The time of a refused sign-in by address, for an account and for a stranger, in one interleaved run.
///
/// Without a variable it finds gross differences only, because other tests run beside it. On an idle machine,
/// `PASSKEY_TIMING_ROUNDS=1000 swift test --no-parallel --filter EnumerationTiming` finds small ones.
struct EnumerationTimingTests {
  private let time = Timestamp(secondsSince1970: 1_800_000_000)

  private func context(_ number: Int) -> RequestContext {
    RequestContext(time: time, requestID: "timing-\(number)", sourceAddress: "192.0.2.7")
  }

  @Test func `a refused sign-in takes the same time for unknown and known accounts`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [Origin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
    for number in 0..<200 {
      let options = try await service.beginRegistration(EmailAddress("user\(number)@raxx.app"), in: context(number))
      _ = try await service.finishRegistration(Person().create(options), in: context(number))
    }
    var times: [[Double]] = [[], [], []]
    for round in 0..<rounds {
      // A known account, an unknown address, and another unknown address to measure the noise.
      for (kind, name) in ["user\(round % 200)", "nobody\(round)", "stranger\(round)"].enumerated().shuffled() {
        let begun = ContinuousClock.now
        let options = try await service.beginSignIn(EmailAddress("\(name)@raxx.app"), in: context(round))
        let clientData = ClientData(type: .get, challenge: options.challenge, origin: try Origin("https://raxx.app"))
        let response = AuthenticationResponse(
          id: try #require(options.allowCredentials.first).id, clientDataJSON: clientData.encoded,
          authenticatorData: Array(Digest.sha256([UInt8]("raxx.app".utf8)) + [5, 0, 0, 0, 0])[...],
          signature: [0x30, 6, 2, 1, 1, 2, 1, 1])
        await #expect(throws: ServiceError.self) { try await service.finishSignIn(response, in: context(round)) }
        let took = ContinuousClock.now - begun
        times[kind].append(Double(took.components.attoseconds) / 1e12 + Double(took.components.seconds) * 1e6)
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    let (difference, noise) = (medians[0] - (medians[1] + medians[2]) / 2, abs(medians[1] - medians[2]))
    print("account \(medians[0]) µs, strangers \(medians[1]) and \(medians[2]) µs, difference \(difference) µs")
    #expect(abs(difference) < max((rounds < 1_000 ? 0.5 : 0.05) * medians[1], 3 * noise))
    await storage.close()
  }
}

private let rounds = unsafe getenv("PASSKEY_TIMING_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 60
