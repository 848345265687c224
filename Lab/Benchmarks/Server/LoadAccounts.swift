// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyLoad
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnClient
internal import WebAuthnTypes

/// The accounts that sign in, as records of a store.
///
/// Identifiers increase with the numbers, so that a database is filled in page order: a million accounts with random
/// identifiers take as long as a million sign-ins. The benchmark picks random accounts, so lookups are random.
struct LoadAccounts {
  private let factory: AccountFactory
  private static let seed = "benchmark"
  private static let created = UnixTime(secondsSince1970: 1_800_000_000)

  init() throws {
    factory = try AccountFactory(seed: Self.seed, .bulk, for: ServiceProfile.raxx.identifiers)
  }

  /// A plan of sign-ins as this many of the accounts.
  static func plan(_ count: Int) -> LoadPlan {
    var plan = LoadPlan()
    (plan.seed, plan.population, plan.accountCount) = (seed, .bulk, count)
    plan.model = .closed
    return plan
  }

  /// The data that the store gets.
  func registration(_ number: Int) throws -> RegistrationCommit {
    let identity = try factory.account(number)
    let handle = try UserHandle(Self.bytes("handle", number))
    let account = Account(
      handle: handle, email: try EmailAddress(identity.names.name ?? ""), state: .active, created: Self.created)
    let record = CredentialRecord(
      id: identity.credentialID, publicKey: identity.key.publicKey.encoded, signCount: 0, uvInitialized: true,
      transports: [.internal, .hybrid], backupEligible: true, backupState: true)
    let passkey = Passkey(
      user: handle, record: record, name: .unnamed, aaguid: .zero,
      attestation: Passkey.AttestationSummary(format: .none, type: "None", trust: .none), created: Self.created)
    let draft = AuditDraft(
      time: Self.created, actor: handle, account: handle, event: .accountCreated,
      requestID: Hex.encode(Self.bytes("request", number).prefix(16)))
    return RegistrationCommit(
      owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 1,
      time: Self.created, audit: [draft])
  }

  /// Adds accounts to a store until it has this many. Uses the store's own methods, so that the data is the same as a
  /// server's.
  func fill(_ storage: DatabaseStorage, _ numbers: Range<Int>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.portion) {
        if start >= numbers.lowerBound + Self.portion * Self.portionsAtOnce { try await group.next() }
        let commits = try (start..<min(start + Self.portion, numbers.upperBound)).map(registration)
        group.addTask {
          try await withThrowingTaskGroup(of: Void.self) { (portion) in
            for commit in commits {
              portion.addTask {
                guard case .success = try await storage.register(commit) else { throw Refused() }
              }
            }
            try await portion.waitForAll()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The store has other data under an identifier of the benchmark.
  struct Refused: Error {}

  private static let portion = 256
  private static let portionsAtOnce = 8

  private static func bytes(_ what: String, _ number: Int) -> [UInt8] {
    let rising = (0..<4).map { (place) in UInt8(truncatingIfNeeded: number >> (24 - 8 * place)) }
    return rising + Digest.sha256([UInt8]("\(what) \(number)".utf8)[...]).dropFirst(rising.count)
  }
}
