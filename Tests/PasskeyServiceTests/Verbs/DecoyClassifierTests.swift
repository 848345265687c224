// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyStorage
import ServiceTestSupport
import SystemCrypto
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import PasskeyService

/// Whether what is shown for an address tells if it has an account.
struct DecoyClassifierTests {
  private static let count = 2_000

  /// The same numbers in every run (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
      return value ^ value >> 31
    }
  }

  private static func known(_ number: Int) -> String { "user\(number)@example.org" }
  private static func unknown(_ number: Int) -> String { "stranger\(number)@example.org" }

  /// Accounts as a site has them whose people use a command line, security keys and phones, some with many passkeys.
  private static func fill(_ storage: MemoryStorage, _ numbers: inout Numbers) async throws {
    let kinds: [(Int, [AuthenticatorTransport])] = [
      (32, [.usb]), (20, [.internal, .hybrid]), (20, [.hybrid, .internal]), (16, [.internal]), (64, [.nfc, .usb]),
      (48, []), (32, []),
    ]
    for number in 0..<count {
      func bytes(_ count: Int) -> Bytes {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }[...]
      }
      let account = Account(
        handle: try UserHandle(bytes(32)), email: try EmailAddress(known(number)), state: .active,
        created: ServiceWorld.start)
      // Most have one or two, and one in ten has up to twenty-five.
      let passkeyCount =
        Int.random(in: 0..<10, using: &numbers) == 0
        ? Int.random(in: 3...25, using: &numbers) : Int.random(in: 1...2, using: &numbers)
      let favourite = Int.random(in: 0..<kinds.count, using: &numbers)
      for place in 0..<passkeyCount {
        let isFavourite = Bool.random(using: &numbers)
        let kind = kinds[isFavourite ? favourite : Int.random(in: 0..<kinds.count, using: &numbers)]
        let record = CredentialRecord(
          id: try CredentialID(bytes(kind.0)), publicKey: bytes(77), signCount: 0, uvInitialized: true,
          transports: kind.1, backupEligible: false, backupState: false)
        let passkey = Passkey(
          user: account.handle, record: record, name: .unnamed, aaguid: .zero,
          attestation: AttestationSummary(format: .none, type: "none", trust: .none, reason: nil),
          created: ServiceWorld.start)
        let commit = RegistrationCommit(
          owner: place == 0 ? .newAccount(account) : .account(account.handle, session: nil), passkey: passkey,
          code: nil,
          opening: nil, maximumPasskeyCount: 30, time: ServiceWorld.start, audit: [])
        guard case .committed = try await storage.register(commit) else { throw Refused() }
      }
    }
  }

  private struct Refused: Error {}

  /// Features of the options for an address, as an attacker sees them.
  private static func features(_ credentials: [CredentialDescriptor]) -> [String: String] {
    let kinds = credentials.map { "\($0.id.bytes.count) \($0.transports.map(\.rawValue))" }
    return [
      "count": "\(credentials.count)", "all": kinds.joined(separator: ", "), "first": kinds.first ?? "",
      "last": kinds.last ?? "", "kinds": Set(kinds).sorted().joined(separator: ", "),
      "bytes": "\(credentials.reduce(0) { $0 + $1.id.bytes.count })",
      "first byte": "\(credentials.first?.id.bytes.first ?? 0)",
      "transports": Set(credentials.flatMap { $0.transports.map(\.rawValue) }).sorted().joined(),
    ]
  }

  /// How often a classifier is right that learns on one half which values of a feature accounts have more often, and judges
  /// the other half.
  private static func accuracy(_ known: [String], _ unknown: [String]) -> Double {
    var lead: [String: Int] = [:]
    for (one, other) in zip(known, unknown).prefix(count / 2) {
      lead[one, default: 0] += 1
      lead[other, default: 0] -= 1
    }
    var right = 0.0
    for (one, other) in zip(known, unknown).dropFirst(count / 2) {
      for (value, isKnown) in [(one, true), (other, false)] {
        let lead = lead[value] ?? 0
        right += lead == 0 ? 0.5 : (lead > 0) == isKnown ? 1 : 0
      }
    }
    return right / Double(count)
  }

  private func shown(_ service: AuthService, _ email: String) async throws -> [CredentialDescriptor] {
    try await service.beginSignIn(
      EmailAddress(email), in: RequestContext(time: ServiceWorld.start, requestID: "classifier")
    ).allowCredentials
  }

  @Test func `no classifier tells two thousand accounts from two thousand strangers`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 13)
    try await Self.fill(world.memory, &numbers)
    try await world.service.claimStore()
    var (known, unknown): ([[String: String]], [[String: String]]) = ([], [])
    for number in 0..<Self.count {
      known.append(Self.features(try await shown(world.service, Self.known(number))))
      unknown.append(Self.features(try await shown(world.service, Self.unknown(number))))
    }
    for feature in known[0].keys.sorted() {
      let accuracy = Self.accuracy(known.compactMap { $0[feature] }, unknown.compactMap { $0[feature] })
      #expect(accuracy <= 0.52, "\(feature): \(accuracy)")
    }
    // A restarted server on the same store shows the same.
    let again = try ServiceWorld(on: world) { _ in }
    for number in 0..<200 {
      let email = Self.unknown(number)
      #expect(try await shown(again.service, email) == shown(world.service, email))
    }
  }

  @Test func `an account's options name its newest passkeys, as many as the policy says, and so do a decoy's`()
    async throws
  {
    let world = try ServiceWorld { $0.offeredPasskeyCount = 3 }
    var numbers = Numbers(state: 14)
    try await Self.fill(world.memory, &numbers)
    try await world.service.claimStore()
    for number in 0..<200 {
      let account = try #require(try await world.memory.account(email: EmailAddress(Self.known(number))))
      let ids = try await world.memory.passkeys(of: account.handle).suffix(3).map(\.record.id)
      #expect(try await shown(world.service, Self.known(number)).map(\.id) == ids)
      #expect(try await 1...3 ~= shown(world.service, Self.unknown(number)).count)
    }
  }

  @Test func `the first accounts of a store already give decoys their look`() async throws {
    let world = try ServiceWorld()
    for number in 0..<5 { _ = try await world.signUp(Self.known(number), Person()) }
    let own = Self.features(try await shown(world.service, Self.known(0)))
    for number in 0..<50 {
      let decoy = Self.features(try await shown(world.service, Self.unknown(number)))
      #expect(decoy["all"] == own["all"])
    }
  }
}
