// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeyTestSupport
internal import WebAuthnTypes

/// The durable sign-ins per second of a store: the cost of commits, and the effect of group commit.
///
/// A sign-in makes the service's calls for one: it stores the ceremony, takes it with the passkey, and writes the passkey, a
/// session and an audit record.
struct StorageBenchmark {
  let storage: DatabaseStorage
  private(set) var people: [Person] = []

  struct Person: Sendable {
    let account: Account
    let passkey: Passkey
  }

  static let now = UnixTime(secondsSince1970: 1_800_000_000)

  /// Measures SQLite, and PostgreSQL where `PASSKEY_TEST_POSTGRESQL` names a server.
  static func run(populations: [Int]) async throws {
    print("store            accounts  at once   sign-ins/s   processor's µs each   commits alone/s")
    let folder = try TemporaryFolder()
    print("(a file, and each write of 4 KiB on the disk before the next: \(try syncs(folder.path + "/sync"))/s)")
    try await measure("SQLite", SQLiteStorage.open(folder.path + "/passkey.db"), populations)
    guard let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL") else { return }
    let configuration = unsafe PostgreSQLConfiguration(url: String(cString: url), schema: "benchmark_\(getpid())")
    try await measure("PostgreSQL", PostgreSQLStorage.open(configuration), populations)
  }

  private static func measure(_ name: String, _ storage: DatabaseStorage, _ populations: [Int]) async throws {
    try await storage.replaceChallengeSalts(with: salt)
    var benchmark = StorageBenchmark(storage: storage)
    for population in populations {
      try await benchmark.populate(to: population)
      let filled = benchmark
      for width in [1, 16, 64] {
        let before = clock()
        let whole = try await filled.rate(width, seconds: 3) { (person) in try await filled.signIn(person) }
        let processor = (clock() - before) / (CLOCKS_PER_SEC / 1_000_000) / max(1, 3 * whole)
        let commits = try await filled.rate(width, seconds: 2) { (person) in try await filled.commit(person) }
        print(
          "\(name.padded(to: 15))\(population.padded(to: 10))\(width.padded(to: 9))\(whole.padded(to: 13))"
            + "\(processor.padded(to: 22))\(commits.padded(to: 18))")
      }
    }
  }

  /// Returns the operations per second with this many concurrent callers.
  private func rate(
    _ width: Int, seconds: Int, _ body: @escaping @Sendable (Person) async throws -> Void
  ) async throws -> Int {
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let people = people
    let count = try await withThrowingTaskGroup(of: Int.self) { (group) in
      for index in 0..<width {
        group.addTask {
          var generator = SeededGenerator(seed: UInt64(index))
          var count = 0
          while ContinuousClock.now < end, let person = people.randomElement(using: &generator) {
            try await body(person)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    let (whole, attoseconds) = (ContinuousClock.now - start).components
    return Int(Double(count) / (Double(whole) + Double(attoseconds) / 1e18))
  }

  private static let salt = ChallengeSalt(bytes: [UInt8](repeating: 1, count: 16), created: now)

  func signIn(_ person: Person) async throws {
    let ceremony = CeremonyID(unchecked: CeremonyID.bound(of: Self.now) + (try Self.bytes(16)))
    let presented = try await storage.presented(
      person.passkey.record.id, in: ceremony, sealedWith: Self.salt)
    guard !presented.isSpent, presented.account == person.account else { throw StorageError(.corrupt) }
    try await commit(person, ceremony)
  }

  private func commit(_ person: Person, _ ceremony: CeremonyID? = nil) async throws {
    let use = CredentialUse(
      credential: person.passkey.record.id, user: person.account.handle, revision: 1, signCount: 0,
      backupState: false, changesRecord: false, time: Self.now)
    let session = AccountSession(
      id: AccountSessionID(unchecked: try Self.bytes(16)), user: person.account.handle,
      credential: person.passkey.record.id, created: Self.now, expiry: Self.now, lastSeen: Self.now)
    let opening = SessionOpening(session: session, token: TokenDigest(unchecked: try Self.bytes(32)))
    var commit = SignInCommit(use: use, opening: opening, audit: [try Self.draft(person.account, .sessionOpened)])
    commit.ceremony = ceremony
    let outcome = try await storage.signIn(commit)
    guard outcome == .opened else { throw StorageError(.corrupt) }
  }

  /// Starts sign-ins at a fixed rate, whether or not earlier ones have ended.
  func signInTimes(
    perSecond rate: Int, for length: Duration, generator seed: UInt64
  ) async throws -> SignInTimes {
    var generator = SeededGenerator(seed: seed)
    let start = ContinuousClock.now
    return try await withThrowingTaskGroup(of: (begin: Double, end: Double).self) { (group) in
      for number in 0..<Int(length / .seconds(1) * Double(rate)) {
        // A wait for a thread counts.
        let before = start + .seconds(1) * (Double(number) / Double(rate))
        try await Task.sleep(until: before, clock: .continuous)
        guard let person = people.randomElement(using: &generator) else { continue }
        group.addTask {
          try await signIn(person)
          return ((before - start) / .microseconds(1), (ContinuousClock.now - start) / .microseconds(1))
        }
      }
      return SignInTimes(try await group.reduce(into: []) { (times, time) in times.append(time) })
    }
  }

  mutating func populate(to count: Int) async throws {
    while people.count < count {
      let fresh = try (0..<min(512, count - people.count)).map { (_) in try Self.person() }
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for person in fresh {
          group.addTask { [storage] in
            _ = try await storage.register(
              RegistrationCommit(
                owner: .newAccount(person.account), passkey: person.passkey, code: nil, opening: nil,
                maximumPasskeyCount: 1, time: Self.now, audit: [try Self.draft(person.account, .accountCreated)]))
          }
        }
        try await group.waitForAll()
      }
      people += fresh
    }
  }

  private static func person() throws -> Person {
    let handle = try UserHandle(bytes(32))
    let account = Account(
      handle: handle, email: try EmailAddress("\(Hex.encode(bytes(12)[...]))@example.org"), state: .active, created: now
    )
    let record = CredentialRecord(
      id: try CredentialID(bytes(32)), publicKey: try bytes(77), signCount: 0, uvInitialized: true,
      transports: [.internal], backupEligible: true, backupState: true)
    return Person(
      account: account,
      passkey: Passkey(
        user: handle, record: record, name: .unnamed, aaguid: .zero,
        attestation: Passkey.AttestationSummary(format: .none, type: "None", trust: .none), created: now))
  }

  private static func draft(_ account: Account, _ event: AuditEvent) throws -> AuditDraft {
    AuditDraft(
      time: now, actor: account.handle, account: account.handle, event: event,
      requestID: Hex.encode(try bytes(8)[...]),
      personalDetails: [
        PersonalDetail(name: .address, person: account.handle, salt: try bytes(32), value: "192.0.2.1")
      ])
  }

  private static func bytes(_ count: Int) throws -> [UInt8] { try RandomSource.system.bytes(count) }

  /// Returns the fsyncs per second of this disk.
  private static func syncs(_ path: String) throws -> Int {
    let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4096)
    var count = 0
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      guard unsafe write(descriptor, page, page.count) == page.count, fdatasync(descriptor) == 0 else { break }
      count += 1
    }
    return count
  }
}

extension CustomStringConvertible {
  /// Pads a text to a column: text to the left, numbers to the right.
  func padded(to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, width - description.count))
    return self is Int ? spaces + description : description + spaces
  }
}
