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

/// The time of a refused sign-in by address, for an account and for a stranger, in one interleaved run.
///
/// ``PairedTimes`` says what differences it finds.
@Suite(.tags(.slow, .alone)) struct EnumerationTimingTests {
  private let time = UnixTime(secondsSince1970: 1_800_000_000)

  private func context(_ number: Int) -> CallContext {
    CallContext(time: time, requestID: "timing-\(number)", sourceAddress: "192.0.2.7")
  }

  @Test func `a refused sign-in takes the same time for unknown and known accounts`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
    for number in 0..<200 {
      let options = try await service.beginRegistration(EmailAddress("user\(number)@raxx.app"), in: context(number))
      _ = try await service.finishRegistration(Person().create(options), in: context(number))
    }
    var times = PairedTimes()
    for round in 0..<PairedTimes.maximumRounds {
      if times.isSharp { break }
      var taken = [0.0, 0, 0]
      // A known account, an unknown address, and another unknown address to measure the noise.
      for (kind, name) in ["user\(round % 200)", "nobody\(round)", "stranger\(round)"].enumerated().shuffled() {
        let begun = ContinuousClock.now
        let options = try await service.beginSignIn(EmailAddress("\(name)@raxx.app"), in: context(round))
        let clientData = ClientData(type: .get, challenge: options.challenge, origin: try WebOrigin("https://raxx.app"))
        let response = AuthenticationResponse(
          id: try #require(options.allowCredentials.first).id, clientDataJSON: clientData.encoded,
          authenticatorData: Array(Digest.sha256([UInt8]("raxx.app".utf8)) + [5, 0, 0, 0, 0])[...],
          signature: [0x30, 6, 2, 1, 1, 2, 1, 1])
        await #expect(throws: ServiceError.self) { try await service.finishSignIn(response, in: context(round)) }
        let took = ContinuousClock.now - begun
        taken[kind] = took / .microseconds(1)
      }
      times.add(account: taken[0], stranger: taken[1], otherStranger: taken[2])
    }
    print("refused sign-in: an account differs by \(times.difference), two strangers by \(times.control)")
    #expect(times.isSharp, "this machine is too noisy: \(times.difference)")
    #expect(!times.isDifferent(beyond: 0.05), "\(times.difference)")
    await storage.close()
  }
}
