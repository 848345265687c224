// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct CredentialListsTests {
  /// Returns a descriptor with a random ID of this length.
  private static func credential(
    _ byteCount: Int, _ transports: [AuthenticatorTransport]
  ) throws -> CredentialDescriptor {
    CredentialDescriptor(
      id: try CredentialID(RandomSource.system.bytes(byteCount)[...]), transports: transports)
  }

  /// Returns a mixture of accounts: most with one passkey, some with two or six.
  private static func accounts(_ count: Int) throws -> [[CredentialDescriptor]] {
    try (0..<count).map { (number) in
      switch number % 20 {
      case 0..<10: [try credential(20, [.hybrid, .internal])]
      case 10..<15: [try credential(32, [.usb])]
      case 15..<17: [try credential(16, []), try credential(64, [.nfc, .usb])]
      case 17..<19: try (0..<6).map { try credential(16 + $0, [.internal]) }
      default: []
      }
    }
  }

  private static func shape(_ credentials: [CredentialDescriptor]) -> String {
    credentials.map { "\($0.id.bytes.count) \($0.transports.map(\.rawValue))" }.joined(separator: ", ")
  }

  private static func decoys(like lists: CredentialLists = .publicSite()) throws -> DecoyCredentials {
    try DecoyCredentials(key: SecretBytes([UInt8](0..<32)[...]), for: RelyingPartyID("raxx.app"), like: lists)
  }

  private func decoy(_ name: String, like lists: CredentialLists) throws -> [CredentialDescriptor] {
    guard case .knownBefore(_, let credentials) = try Self.decoys(like: lists).identification(for: name, known: nil)
    else {
      return []
    }
    return credentials
  }

  @Test func `decoys have the distribution of the real lists`() throws {
    let accounts = try Self.accounts(400)
    let lists = try #require(CredentialLists(of: accounts, atMost: 20))
    #expect(lists.accountCount == 380)
    var expected: [String: Double] = [:]
    for account in accounts where !account.isEmpty { expected[Self.shape(account), default: 0] += 1 / 380 }
    var found: [String: Double] = [:]
    for number in 0..<10_000 {
      found[Self.shape(try decoy("user-\(number)@example.org", like: lists)), default: 0] += 1 / 10_000
    }
    #expect(Set(found.keys) == Set(expected.keys))
    for (shape, share) in expected { #expect(abs(share - found[shape, default: 0]) < 0.02, "\(shape)") }
  }

  @Test func `a decoy stays while the distribution stays, and few change with it`() throws {
    let before = try #require(CredentialLists(of: Self.accounts(400), atMost: 20))
    let more = try #require(CredentialLists(of: Self.accounts(4_000), atMost: 20))
    // One account in twenty gets a list that did not occur before.
    let others = try Self.accounts(400) + (0..<20).map { _ in [try Self.credential(48, [.ble])] }
    let changed = try #require(CredentialLists(of: others, atMost: 20))
    var changes = 0
    for number in 0..<2_000 {
      let name = "user-\(number)@example.org"
      let decoy = try decoy(name, like: before)
      #expect(try self.decoy(name, like: before) == decoy)
      #expect(try self.decoy(name, like: more) == decoy)
      if try self.decoy(name, like: changed) != decoy { changes += 1 }
    }
    #expect(60...140 ~= changes, "\(changes)")
  }

  @Test func `a sample of different lists also stands for those that it lacks`() throws {
    // Every account has a list of its own: three kinds, in as many orders as there are accounts.
    let kinds: [(Int, [AuthenticatorTransport])] = [(20, [.internal]), (32, [.usb]), (64, [.nfc])]
    let accounts = try (0..<60).map { (number) in
      try [number % 3, number / 3 % 3, number / 9 % 3, number / 27 % 3].map {
        try Self.credential(kinds[$0].0, kinds[$0].1)
      }
    }
    let lists = try #require(CredentialLists(of: accounts, atMost: 20))
    let real = Set(accounts.map(Self.shape))
    var unseen: Set<String> = []
    var credentials: [Int: Int] = [:]
    for number in 0..<2_000 {
      let decoy = try decoy("user-\(number)@example.org", like: lists)
      #expect(decoy.count == 4)
      for credential in decoy { credentials[credential.id.bytes.count, default: 0] += 1 }
      if !real.contains(Self.shape(decoy)) { unseen.insert(Self.shape(decoy)) }
    }
    // 21 of the 81 possible lists are not in the sample.
    #expect(unseen.count > 15)
    #expect(credentials.count == 3 && credentials.values.allSatisfy { 2_000...3_400 ~= $0 }, "\(credentials)")
  }

  @Test func `the lists of a public site have its distribution`() throws {
    let weights = CredentialLists.publicSiteCounts
    var counts = [Int](repeating: 0, count: weights.count)
    var apple = 0
    for number in 0..<5_000 {
      let decoy = try decoy("user-\(number)@example.org", like: .publicSite())
      counts[decoy.count - 1] += 1
      if decoy[0].id.bytes.count == 20 { apple += 1 }
    }
    for (count, weight) in zip(counts, weights) {
      #expect(abs(count / 50 - weight) <= 3, "\(counts)")
    }
    #expect(abs(apple / 50 - 40) <= 3, "\(apple)")
    #expect(CredentialLists.publicSite(userHandleByteCount: 1).userHandleByteCount == 16)
  }

  @Test func `a limit keeps the last credentials of a decoy`() throws {
    let lists = try #require(CredentialLists(of: Self.accounts(40), atMost: 20))
    for number in 0..<200 {
      let name = "user-\(number)@example.org"
      let choice = try Self.decoys().choice(for: name, like: lists, atMost: 2)
      guard case .knownBefore(_, let shown) = try Self.decoys().identification(for: name, known: nil, choice: choice)
      else {
        continue
      }
      #expect(choice.count == shown.count && choice.maximumCount == 2)
      #expect(try shown == decoy(name, like: lists).suffix(2))
    }
  }

  @Test func `real lists are cut at the limit of decoys`() throws {
    let lists = try #require(CredentialLists(of: Self.accounts(40), atMost: 4))
    #expect(lists.maximumCount == 4)
    let user = try UserHandle([UInt8](repeating: 1, count: 32)[...])
    let own = try (0..<7).map { _ in try Self.credential(16, [.internal]) }
    let identification = try Self.decoys(like: lists).identification(for: "ada@example.org", known: (user, own))
    guard case .knownBefore(user, let shown) = identification else {
      Issue.record("not the account")
      return
    }
    #expect(shown == Array(own.prefix(4)))
    for number in 0..<200 { #expect(try decoy("user-\(number)", like: lists).count <= 4) }
    // An account without credentials is shown a decoy.
    let empty = try Self.decoys(like: lists).identification(for: "bob@example.org", known: (user, []))
    guard case .knownBefore(_, let shown) = empty else { return }
    #expect(try shown == decoy("bob@example.org", like: lists))
  }

  @Test func `lists survive a round trip, and malformed ones are refused`() throws {
    let lists = try #require(CredentialLists(of: Self.accounts(40), atMost: 20))
    #expect(CredentialLists(parsing: lists.encoded) == lists)
    #expect(CredentialLists(of: [], atMost: 20) == nil)
    #expect(CredentialLists(of: [[]], atMost: 20) == nil)
    for length in 0..<lists.encoded.count { #expect(CredentialLists(parsing: Array(lists.encoded[..<length])) == nil) }
    for bytes in [
      [], [0x80], [0x84, 1, 1, 1, 0x80], [0x84, 2, 4, 0x18, 32, 0x80], [0x84, 1] + Array(lists.encoded[2...]),
      [0x84, 3] + Array(lists.encoded[2...]),
      lists.encoded + [0],
    ] as [[UInt8]] {
      #expect(CredentialLists(parsing: bytes) == nil)
    }
  }

  @Test func `each limit of stored lists is exact`() throws {
    func isRead(maximumCount: Int64 = 2, handle: Int64 = 32, _ lists: CBORTree = [[1, [[16, ["usb"]]]]]) -> Bool {
      CredentialLists(parsing: CBORWriter.bytes(of: [2, .integer(maximumCount), .integer(handle), lists])) != nil
    }
    func kinds(_ kinds: CBORTree...) -> CBORTree { [[1, .array(kinds)]] }
    func transports(_ count: Int, _ byteCount: Int) -> CBORTree {
      kinds([16, .array([CBORTree](repeating: .text(String(repeating: "a", count: byteCount)), count: count))])
    }
    func lists(_ count: Int64) -> CBORTree {
      .array((0..<count).map { [1, [[.integer($0 % 1023 + 1), .array($0 < 1023 ? [] : ["usb"])]]] })
    }
    #expect(isRead())
    #expect(isRead(maximumCount: 1) && isRead(maximumCount: 64))
    #expect(!isRead(maximumCount: 0) && !isRead(maximumCount: 65))
    #expect(isRead(handle: 16) && isRead(handle: 64))
    #expect(!isRead(handle: 15) && !isRead(handle: 65))
    #expect(isRead([[.integer(1 << 32), [[16, []]]]]))
    #expect(!isRead([[.integer(1 << 32 + 1), [[16, []]]]]) && !isRead([[0, [[16, []]]]]))
    #expect(!isRead([[1]]) && !isRead([[1, [[16, []]], 1]]) && !isRead([[1, []]]) && !isRead([]))
    #expect(isRead(kinds([1, []])) && isRead(kinds([1023, []])))
    #expect(!isRead(kinds([0, []])) && !isRead(kinds([1024, []])))
    #expect(!isRead(kinds([16])) && !isRead(kinds([16, [], 1])))
    #expect(isRead(kinds([16, []], [16, []])) && !isRead(kinds([16, []], [16, []], [16, []])))
    #expect(isRead(transports(16, 32)) && !isRead(transports(17, 1)) && !isRead(transports(1, 33)))
    #expect(isRead(lists(1024)) && !isRead(lists(1025)))
    let accounts = try Self.accounts(2)
    for (byteCount, isAccepted) in [(15, false), (16, true), (64, true), (65, false)] {
      #expect((CredentialLists(of: accounts, atMost: 2, userHandleByteCount: byteCount) != nil) == isAccepted)
    }
  }

  @Test func `a decoy's ids are unique, and its user handle never changes`() throws {
    let lists = try #require(CredentialLists(of: Self.accounts(40), atMost: 20))
    var ids: Set<CredentialID> = []
    var count = 0
    for number in 0..<500 {
      let name = "user-\(number)@example.org"
      let decoy = try decoy(name, like: lists)
      count += decoy.count
      ids.formUnion(decoy.map(\.id))
      guard case .knownBefore(let user, _) = try Self.decoys().identification(for: name, known: nil),
        case .knownBefore(let same, _) = try Self.decoys().identification(
          for: name, known: nil, choice: Self.decoys().choice(for: name, like: lists))
      else { continue }
      #expect(user == same)
    }
    #expect(ids.count == count)
  }
}
