// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// Finds the account of a name, or creates a decoy in its place. The work depends only on the number of
  /// credentials in the answer: the decoy is chosen first, and the store reads as many stand-ins as the decoy has
  /// credentials.
  func identification(of name: AccountName?) async throws(ServiceError) -> UserIdentification {
    guard let name else { return .fromResponse }
    let choice = decoys.choice(for: name.key, like: try await decoyLists(), atMost: policy.offeredPasskeyCount)
    let candidate = try await stored(
      async: await storage.candidate(name, limit: choice.maximumCount, standInCount: choice.count))
    let known = candidate.map { (user: $0.account.handle, credentials: $0.credentials) }
    return try mapCeremonyErrors(to: .signInCeremonyFailed) { () throws(CeremonyError) in
      try decoys.identification(for: name.key, known: known, choice: choice)
    }
  }

  /// Returns the newest of an account's credentials, limited to the number that options list.
  func offered(_ credentials: [CredentialDescriptor]) -> [CredentialDescriptor] {
    credentials.suffix(policy.offeredPasskeyCount)
  }

  // The lists from which decoys are drawn are fixed when the first name is asked for, and kept in the store, so that all
  // servers use the same, also after a restart. They do not follow the accounts: every change would reveal some decoys.

  private func decoyLists() async throws(ServiceError) -> CredentialLists {
    if let lists = cachedDecoyLists.withLock({ $0 }) { return lists }
    if let lists = try await loadDecoyLists() { return lists }
    return try await sampleDecoyLists(replacing: false)
  }

  /// Loads the lists kept in the store. Returns nil before the first sign-in by name.
  @discardableResult
  func loadDecoyLists() async throws(ServiceError) -> CredentialLists? {
    let bytes = try await stored(async: await storage.decoyLists())
    guard let lists = bytes.flatMap(CredentialLists.init(parsing:)) else { return nil }
    cachedDecoyLists.withLock { $0 = lists }
    return lists
  }

  /// Samples the lists from which decoys are drawn again, from the accounts of today. Without enough accounts, decoys
  /// imitate those of a public site.
  ///
  /// Decoys never change otherwise. This changes many at once: someone who asked for an address before and asks again
  /// learns that it has no account. Other servers use the new lists after their next ``sweep(at:)``.
  ///
  /// - Returns: The number of sampled accounts; 0 if there were not enough.
  /// - Throws: A storage code.
  @discardableResult
  package func renewDecoys() async throws(ServiceError) -> Int {
    let lists = try await sampleDecoyLists(replacing: true)
    return lists == standardDecoyLists ? 0 : lists.accountCount
  }

  /// Samples lists from the store's accounts and stores them. Returns those that are stored then: another server may have
  /// been faster.
  private func sampleDecoyLists(replacing: Bool) async throws(ServiceError) -> CredentialLists {
    let accounts = try await stored(async: await storage.credentialLists(limit: Self.sampledCredentialCount))
    let sample = CredentialLists(
      of: accounts, atMost: CredentialLists.maximumCredentialCount,
      userHandleByteCount: policy.identifiers.handles.byteCount)
    let lists = sample.flatMap { $0.accountCount >= Self.minimumSampleCount ? $0 : nil } ?? standardDecoyLists
    let stored = try await stored(async: await storage.storeDecoyLists(lists.encoded, replacing: replacing))
    // Servers must not differ, so lists that none can read are replaced.
    guard let kept = CredentialLists(parsing: stored) else { return try await sampleDecoyLists(replacing: true) }
    cachedDecoyLists.withLock { $0 = kept }
    return kept
  }

  private var standardDecoyLists: CredentialLists {
    decoys.lists(userHandleByteCount: policy.identifiers.handles.byteCount)
  }

  // 8,192 credentials [sampling takes some tens of milliseconds, and estimates each of thirty lists to within about one
  // percent]
  private static let sampledCredentialCount = 8_192

  // 50 accounts [fewer do not show which passkeys later accounts will have; a stranger can create some]
  private static let minimumSampleCount = 50
}
