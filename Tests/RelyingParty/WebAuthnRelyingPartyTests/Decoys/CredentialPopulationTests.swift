// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct CredentialPopulationTests {
  private static let kind = CredentialPopulation.Kind(idByteCount: 32, transports: [.usb], weight: 1)

  @Test func `the default population is valid`() throws {
    let population = CredentialPopulation.publicSite
    #expect(
      try CredentialPopulation(
        weightsByCount: population.weightsByCount, kinds: population.kinds,
        userHandleByteCount: population.userHandleByteCount)
        == population)
  }

  @Test func `decoys follow the given population`() throws {
    let population = try CredentialPopulation(
      weightsByCount: [0, 0, 1], kinds: [Self.kind], userHandleByteCount: 64)
    let decoys = try DecoyCredentials(
      key: SecretBytes([UInt8](0..<32)[...]), for: RelyingPartyID("raxx.app"), population: population)
    guard
      case .knownBefore(let user, let credentials) = try decoys.identification(for: "a", known: nil)
    else { throw NotIdentified() }
    #expect(user.bytes.count == 64)
    #expect(credentials.map(\.id.bytes.count) == [32, 32, 32])
    #expect(credentials.map(\.transports) == [[.usb], [.usb], [.usb]])
  }

  private struct NotIdentified: Error {}

  @Test(arguments: [[], [0], [-1, 2], [5_001, 5_000], [Int.max, Int.max], [Int](repeating: 1, count: 17)])
  func `invalid weights are refused`(weights: [Int]) {
    expectFailure(.decoyPopulationInvalid, step: nil) {
      try CredentialPopulation(weightsByCount: weights, kinds: [Self.kind])
    }
  }

  @Test(arguments: [15, 1024, -1, Int.max])
  func `invalid id lengths are refused`(byteCount: Int) {
    expectFailure(.decoyPopulationInvalid, step: nil) {
      try CredentialPopulation(
        weightsByCount: [1], kinds: [.init(idByteCount: byteCount, transports: [], weight: 1)])
    }
  }

  @Test(arguments: [15, 65])
  func `invalid user handle lengths are refused`(byteCount: Int) {
    expectFailure(.decoyPopulationInvalid, step: nil) {
      try CredentialPopulation(weightsByCount: [1], kinds: [Self.kind], userHandleByteCount: byteCount)
    }
  }

  @Test func `a population needs a kind`() {
    expectFailure(.decoyPopulationInvalid, step: nil) { try CredentialPopulation(weightsByCount: [1], kinds: []) }
  }
}
