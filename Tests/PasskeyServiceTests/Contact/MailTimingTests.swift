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

/// The time of answers to taken and free addresses, and to known and unknown ones, in one interleaved run.
///
/// Without a variable it finds gross differences only, because other tests run beside it. On an idle machine,
/// `PASSKEY_TIMING_ROUNDS=1000 swift test --no-parallel --filter MailTiming` finds small ones.
struct MailTimingTests {
  private func context(_ number: Int) -> RequestContext {
    RequestContext(time: Sample.start, requestID: "timing-\(number)", sourceAddress: "192.0.2.7")
  }

  @Test func `taken and free, known and unknown addresses take the same time`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    var policy = ServicePolicy()
    policy.destinations = [NoticeDestination(DestinationName(rawValue: "mail"), events: ["email.*", "account.*"])]
    policy.contact.verification = .required
    policy.contact.recovery = .email(waiting: .seconds(60))
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [Origin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
    for number in 0..<rounds {
      var account = try Sample.account("user\(number)@raxx.app")
      account.emailVerified = Sample.start
      _ = try await storage.registerAccount(account)
    }
    var signUps: [[Double]] = [[], [], []]
    var recoveries: [[Double]] = [[], [], []]
    let person = try Person()
    for round in 0..<rounds {
      for (kind, name) in ["user", "nobody", "stranger"].enumerated().shuffled() {
        let email = try EmailAddress("\(name)\(round)@raxx.app")
        let start = ContinuousClock.now
        let options = try await service.beginRegistration(email, in: context(round))
        let begun = ContinuousClock.now
        let response = try await person.create(options)
        let finishing = ContinuousClock.now
        _ = try await service.finishRegistration(response, in: context(round))
        signUps[kind].append(Self.microseconds(begun - start + (ContinuousClock.now - finishing)))
        let requesting = ContinuousClock.now
        try await service.requestRecovery(of: email, in: context(round))
        recoveries[kind].append(Self.microseconds(ContinuousClock.now - requesting))
      }
    }
    for (name, times) in [("sign-up", signUps), ("recovery", recoveries)] {
      let medians = times.map { $0.sorted()[$0.count / 2] }
      let (difference, noise) = (medians[0] - (medians[1] + medians[2]) / 2, abs(medians[1] - medians[2]))
      print(
        "\(name): account \(medians[0]) µs, strangers \(medians[1]) and \(medians[2]) µs, difference \(difference) µs")
      #expect(abs(difference) < max((rounds < 1_000 ? 0.5 : 0.15) * medians[1], 3 * noise), "\(name)")
    }
    await storage.close()
  }

  private static func microseconds(_ duration: Duration) -> Double {
    Double(duration.components.attoseconds) / 1e12 + Double(duration.components.seconds) * 1e6
  }
}

private let rounds = unsafe getenv("PASSKEY_TIMING_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 60
