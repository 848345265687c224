// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// The time of answers to taken and free addresses, and to known and unknown ones, in one interleaved run.
///
/// ``PairedTimes`` says what differences it finds. The tolerance is larger than there: mails to accounts are written.
@Suite(.tags(.slow, .alone)) struct MailTimingTests {
  private func context(_ number: Int) -> CallContext {
    CallContext(time: Sample.start, requestID: "timing-\(number)", sourceAddress: "192.0.2.7")
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
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
    var (signUps, recoveries) = (PairedTimes(), PairedTimes())
    let person = try Person()
    for round in 0..<PairedTimes.maximumRounds {
      if signUps.isSharp, recoveries.isSharp { break }
      var account = try Sample.account("user\(round)@raxx.app")
      account.emailVerified = Sample.start
      _ = try await storage.registerAccount(account)
      var (signUp, recovery) = ([0.0, 0, 0], [0.0, 0, 0])
      for (kind, name) in ["user", "nobody", "stranger"].enumerated().shuffled() {
        let email = try EmailAddress("\(name)\(round)@raxx.app")
        let start = ContinuousClock.now
        let options = try await service.beginRegistration(email, in: context(round))
        let begun = ContinuousClock.now
        let response = try await person.create(options)
        let finishing = ContinuousClock.now
        _ = try await service.finishRegistration(response, in: context(round))
        signUp[kind] = (begun - start + (ContinuousClock.now - finishing)) / .microseconds(1)
        let requesting = ContinuousClock.now
        try await service.requestRecovery(of: email, in: context(round))
        recovery[kind] = (ContinuousClock.now - requesting) / .microseconds(1)
      }
      signUps.add(account: signUp[0], stranger: signUp[1], otherStranger: signUp[2])
      recoveries.add(account: recovery[0], stranger: recovery[1], otherStranger: recovery[2])
    }
    for (name, times) in [("sign-up", signUps), ("recovery", recoveries)] {
      print("\(name): an account differs by \(times.difference), two strangers by \(times.control)")
      #expect(times.isSharp, "this machine is too noisy: \(times.difference)")
      #expect(!times.isDifferent(beyond: 0.15), "\(name): \(times.difference)")
    }
    await storage.close()
  }
}
