// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

/// Tests whether the options for an address reveal if it has an account.
///
/// The data are the same in each run. Of other data, a classifier that guesses would be right in 50 % with a standard
/// deviation of 0.8 %, and one that is right in 53.5 % would exceed the limit in 97 of 100 choices.
struct DecoyClassifierTests {
  private static let count = 2_000

  /// Deterministic random numbers (SplitMix64).
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

  /// Creates the accounts of a typical site, whose users sign in with a command line, security keys and phones, some
  /// with many passkeys.
  private static func fill(
    _ storage: DatabaseStorage, _ numbers: inout Numbers, _ accounts: Range<Int> = 0..<count
  ) async throws {
    let kinds: [(Int, [AuthenticatorTransport])] = [
      (32, [.usb]), (20, [.internal, .hybrid]), (20, [.hybrid, .internal]), (16, [.internal]), (64, [.nfc, .usb]),
      (48, []), (32, []),
    ]
    var commits = [[RegistrationCommit]](repeating: [], count: accounts.count)
    for number in accounts {
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
          id: try CredentialID(bytes(kind.0)), publicKey: [UInt8](bytes(77)), signCount: 0, uvInitialized: true,
          transports: kind.1, backupEligible: false, backupState: false)
        let passkey = Passkey(
          user: account.handle, record: record, name: .unnamed, aaguid: .zero,
          attestation: Passkey.AttestationSummary(format: .none, type: "none", trust: .none, reason: nil),
          created: ServiceWorld.start)
        let commit = RegistrationCommit(
          owner: place == 0 ? .newAccount(account) : .account(account.handle, session: nil), passkey: passkey,
          code: nil,
          opening: nil, maximumPasskeyCount: 30, time: ServiceWorld.start, audit: [])
        commits[number - accounts.lowerBound].append(commit)
      }
    }
    // Accounts at once, so that they share commits; the passkeys of one in their order.
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for own in commits {
        group.addTask {
          for commit in own {
            guard case .success = try await storage.register(commit) else { throw Refused() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Refused: Error {}

  /// Returns everything that an attacker can observe in the options for an address.
  private static func features(_ options: RequestOptions) throws -> [String: String] {
    let credentials = options.allowCredentials
    let ids = credentials.map(\.id.bytes)
    let all = Array(ids.joined())
    let kinds = credentials.map { "\($0.id.bytes.count) \($0.transports.map(\.rawValue))" }
    // The whole body, without its random bytes: members, their order, and the relying party's choices.
    var shape = options
    shape.challenge = try Challenge([UInt8](repeating: 0, count: options.challenge.bytes.count))
    shape.allowCredentials = try credentials.map { (credential) in
      var blank = credential
      blank.id = try CredentialID([UInt8](repeating: 0, count: credential.id.bytes.count))
      return blank
    }
    func nibbles(_ byte: UInt8?) -> String { byte.map { "\($0 >> 4)" } ?? "" }
    let bitCount = all.reduce(0) { $0 + $1.nonzeroBitCount }
    return [
      "body": String(decoding: shape.json, as: UTF8.self), "body size": "\(options.json.count)",
      "count": "\(credentials.count)", "all kinds": kinds.joined(separator: ", "), "first kind": kinds.first ?? "",
      "last kind": kinds.last ?? "", "set of kinds": Set(kinds).sorted().joined(separator: ", "),
      "lengths": "\(ids.map(\.count))", "sum of lengths": "\(all.count)",
      "base64 lengths": "\(ids.map { Base64URL.encode($0).utf8.count })",
      "transports": Set(credentials.flatMap { $0.transports.map(\.rawValue) }).sorted().joined(separator: " "),
      "without transports": "\(credentials.count { $0.transports.isEmpty })",
      "order of lengths": "\(zip(ids, ids.dropFirst()).map { $0.count <= $1.count })",
      "order of ids": "\(zip(ids, ids.dropFirst()).count { $0.lexicographicallyPrecedes($1) })",
      "same first byte": "\(ids.count - Set(ids.map(\.first)).count)",
      "first bits": nibbles(ids.first?.first), "last bits": nibbles(ids.last?.last),
      "first letter": String(Base64URL.encode(ids.first ?? []).prefix(1)),
      "set bits": "\(all.isEmpty ? 0 : bitCount * 25 / all.count)", "zero bytes": "\(all.count { $0 == 0 })",
      "different bytes": "\(Set(all).count * 8 / max(1, all.count))",
    ]
  }

  /// Returns the log ratio of each value's frequency among accounts and among unknown addresses.
  private static func leads(_ known: some Sequence<String>, _ unknown: some Sequence<String>) -> [String: Double] {
    var counts: [String: (known: Double, unknown: Double)] = [:]
    for value in known { counts[value, default: (1, 1)].known += 1 }
    for value in unknown { counts[value, default: (1, 1)].unknown += 1 }
    return counts.mapValues { log($0.known / $0.unknown) }
  }

  /// Returns the accuracy of a classifier that adds up the log ratios of these features. It is trained on one half and
  /// tested on the other, in both directions.
  private static func accuracy(
    of names: [String], _ known: [[String: String]], _ unknown: [[String: String]]
  ) -> Double {
    var right = 0.0
    for parity in 0...1 {
      let half = { (all: [[String: String]], isLearned: Bool) in
        all.enumerated().filter { ($0.offset % 2 == parity) == isLearned }.map(\.element)
      }
      let tables = names.map { (name) in
        (
          name: name,
          leads: leads(half(known, true).compactMap { $0[name] }, half(unknown, true).compactMap { $0[name] })
        )
      }
      for (judged, isKnown) in [(half(known, false), true), (half(unknown, false), false)] {
        for features in judged {
          let lead = tables.reduce(0.0) { (sum, table) in sum + (table.leads[features[table.name] ?? ""] ?? 0) }
          right += lead == 0 ? 0.5 : (lead > 0) == isKnown ? 1 : 0
        }
      }
    }
    return right / Double(known.count + unknown.count)
  }

  private func options(_ service: AuthService, _ email: String) async throws -> RequestOptions {
    try await service.beginSignIn(
      EmailAddress(email), in: CallContext(time: ServiceWorld.start, requestID: "classifier"))
  }

  private func shown(_ service: AuthService, _ email: String) async throws -> [CredentialDescriptor] {
    try await options(service, email).allowCredentials
  }

  @Test func `no classifier tells two thousand accounts from two thousand strangers`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 13)
    try await Self.fill(world.memory, &numbers)
    try await world.service.claimStore(at: ServiceWorld.start)
    var (known, unknown): ([[String: String]], [[String: String]]) = ([], [])
    for number in 0..<Self.count {
      known.append(try Self.features(try await options(world.service, Self.known(number))))
      unknown.append(try Self.features(try await options(world.service, Self.unknown(number))))
    }
    let names = known[0].keys.sorted()
    for choice in names.map({ [$0] }) + [names] {
      let accuracy = Self.accuracy(of: choice, known, unknown)
      #expect(accuracy <= 0.52, "\(choice): \(accuracy)")
    }
    // The classifier can learn: it detects one additional credential.
    let longer = unknown.map { (features) in
      features.merging(["count": "\((Int(features["count"] ?? "") ?? 0) + 1)"]) { _, new in new }
    }
    #expect(Self.accuracy(of: ["count"], known, longer) > 0.6)
  }

  @Test func `an address gets the same decoys after a restart and after other accounts change`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 15)
    try await Self.fill(world.memory, &numbers)
    try await world.service.claimStore(at: ServiceWorld.start)
    let emails = (1...100).flatMap { [Self.known($0), Self.unknown($0)] }
    var first: [[CredentialDescriptor]] = []
    for email in emails { first.append(try await shown(world.service, email)) }
    let restarted = try ServiceWorld(on: world) { _ in }
    try await restarted.service.claimStore(at: ServiceWorld.start)
    let changing = try #require(try await world.memory.account(email: EmailAddress(Self.known(0))))
    let passkey = try await Self.addPasskey(to: changing, world.memory)
    #expect(try await shown(world.service, Self.known(0)).map(\.id).last == passkey)
    for service in [world.service, restarted.service] {
      for (email, list) in zip(emails, first) { #expect(try await shown(service, email) == list) }
    }
    let deleted = try await world.memory.delete(
      passkey, of: changing.handle, keeping: nil, allowingLast: false, spending: nil, audit: [])
    #expect(deleted.refusal == nil)
    for (email, list) in zip(emails, first) { #expect(try await shown(restarted.service, email) == list) }
  }

  private static func addPasskey(to account: Account, _ storage: DatabaseStorage) async throws -> CredentialID {
    let id = try CredentialID([UInt8](repeating: 0xab, count: 32))
    let record = CredentialRecord(
      id: id, publicKey: [UInt8](repeating: 1, count: 77), signCount: 0, uvInitialized: true, transports: [.usb],
      backupEligible: false, backupState: false)
    let passkey = Passkey(
      user: account.handle, record: record, name: .unnamed, aaguid: .zero,
      attestation: Passkey.AttestationSummary(format: .none, type: "none", trust: .none, reason: nil),
      created: ServiceWorld.start)
    let commit = RegistrationCommit(
      owner: .account(account.handle, session: nil), passkey: passkey, code: nil, opening: nil,
      maximumPasskeyCount: 64, time: ServiceWorld.start, audit: [])
    guard case .success = try await storage.register(commit) else { throw Refused() }
    return id
  }

  @Test func `options name the newest passkeys up to the limit, and so do decoys`()
    async throws
  {
    let world = try ServiceWorld { $0.offeredPasskeyCount = 3 }
    var numbers = Numbers(state: 14)
    try await Self.fill(world.memory, &numbers)
    try await world.service.claimStore(at: ServiceWorld.start)
    for number in 0..<200 {
      let account = try #require(try await world.memory.account(email: EmailAddress(Self.known(number))))
      let ids = try await world.memory.passkeys(of: account.handle).suffix(3).map(\.record.id)
      #expect(try await shown(world.service, Self.known(number)).map(\.id) == ids)
      #expect(try await 1...3 ~= shown(world.service, Self.unknown(number)).count)
    }
  }

  @Test func `accounts of rare kinds change no decoy`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 16)
    try await Self.fill(world.memory, &numbers, 0..<60)
    try await world.service.claimStore(at: ServiceWorld.start)
    let strangers = (0..<300).map(Self.unknown)
    var before: [[CredentialDescriptor]] = []
    for email in strangers { before.append(try await shown(world.service, email)) }
    var count = 60
    for growth in [16, 20, 56, 147] {
      for number in count..<count + growth {
        _ = try await world.signUp("attacker\(number)@example.net", Person())
      }
      count += growth
      try await world.service.deleteExpired(at: ServiceWorld.start)
      let restarted = try ServiceWorld(on: world) { _ in }
      try await restarted.service.claimStore(at: ServiceWorld.start)
      for service in [world.service, restarted.service] {
        var changed = 0
        for (email, list) in zip(strangers, before) {
          if try await shown(service, email) != list { changed += 1 }
        }
        #expect(changed == 0, "\(count) accounts")
      }
    }
  }

  @Test func `decoys stay and resemble the accounts while sixty become two thousand`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 17)
    try await Self.fill(world.memory, &numbers, 0..<60)
    try await world.service.claimStore(at: ServiceWorld.start)
    var strangers: [RequestOptions] = []
    for number in 0..<Self.count { strangers.append(try await options(world.service, Self.unknown(number))) }
    let unknown = try strangers.map(Self.features)
    var known: [[String: String]] = []
    for end in [60, 200, 600, Self.count] {
      if end > 60 { try await Self.fill(world.memory, &numbers, known.count..<end) }
      for number in known.count..<end {
        known.append(try Self.features(try await options(world.service, Self.known(number))))
      }
      for number in 0..<300 {
        #expect(try await shown(world.service, Self.unknown(number)) == strangers[number].allowCredentials)
      }
      // Sixty accounts show the frequency of a kind to within some percent. A classifier that has learned from hundreds of
      // known accounts finds the difference.
      let names = known[0].keys.sorted()
      for choice in names.map({ [$0] }) + [names] where end > 200 {
        let accuracy = Self.accuracy(of: choice, known, Array(unknown.prefix(end)))
        #expect(accuracy <= 0.65, "\(end) accounts, \(choice): \(accuracy)")
      }
    }
    // An operator renews them.
    #expect(try await world.service.renewDecoys() > 1_000)
    var renewed: [[String: String]] = []
    for number in 0..<Self.count {
      renewed.append(try Self.features(try await options(world.service, Self.unknown(number))))
    }
    for choice in known[0].keys.sorted().map({ [$0] }) {
      let accuracy = Self.accuracy(of: choice, known, renewed)
      #expect(accuracy <= 0.53, "\(choice): \(accuracy)")
    }
  }

  @Test func `decoys of a store with few accounts are those of a public site, and stay`() async throws {
    let world = try ServiceWorld()
    let before = try await shown(world.service, Self.unknown(0))
    _ = try await world.signUp(Self.known(0), Person())
    #expect(try await shown(world.service, Self.unknown(0)) == before)
    #expect(try await world.service.renewDecoys() == 0)
    var kinds: Set<String> = []
    for number in 0..<300 {
      for credential in try await shown(world.service, Self.unknown(number)) {
        kinds.insert("\(credential.id.bytes.count) \(credential.transports.map(\.rawValue))")
      }
    }
    #expect(kinds.count == 6 && kinds.contains(#"20 ["hybrid", "internal"]"#), "\(kinds)")
    #expect(try await shown(world.service, Self.unknown(0)) == before)
  }

  @Test func `servers that fix the decoys at once agree`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 18)
    try await Self.fill(world.memory, &numbers, 0..<60)
    // Another server was faster, when there were fewer accounts.
    let other = try ServiceWorld(on: world) { _ in }
    let faster = CredentialLists.publicSite()
    world.faults.beforeWrite { _ = try? await $0.storeDecoyLists(faster.encoded, replacing: false) }
    let mine = try await shown(world.service, Self.unknown(0))
    #expect(try await shown(other.service, Self.unknown(0)) == mine)
    #expect(try await world.memory.decoyLists() == faster.encoded)
  }

  @Test func `a changed number of offered passkeys cuts decoys as it cuts accounts`() async throws {
    let world = try ServiceWorld()
    var numbers = Numbers(state: 19)
    try await Self.fill(world.memory, &numbers, 0..<200)
    var (longest, isCut) = (0, false)
    for number in 0..<200 {
      let all = try await shown(world.service, Self.unknown(number))
      let fewer = try ServiceWorld(on: world) { $0.offeredPasskeyCount = 3 }
      #expect(try await shown(fewer.service, Self.unknown(number)) == all.suffix(3))
      longest = max(longest, all.count)
      isCut = isCut || all.count > 3
    }
    #expect(isCut && longest <= 20)
  }
}
