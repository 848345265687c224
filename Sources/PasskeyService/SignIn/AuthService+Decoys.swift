// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The server's cached credential lists, from which it draws decoys.
///
/// The lists are sampled from the store's own accounts and kept in the store, so that all servers use the same lists,
/// also after a restart. They are sampled again when the number of accounts has grown by a quarter, as far as this server
/// knows it: those of the sample, and those created since. Each new sample changes a few decoys, which reveals that these
/// are decoys.
final class DecoyLists: Sendable {
  private struct State {
    var lists: CredentialLists?
    var isLoaded = false
    /// The accounts of the sample, and those that this server had counted before it.
    var accountCount = 0
    var newAccountCount = 0
  }

  private let state = Locked(State())

  /// The cached lists; nil until they are loaded. The inner value is nil if no account has a passkey.
  var loaded: CredentialLists?? { state.withLock { $0.isLoaded ? .some($0.lists) : nil } }

  func set(_ lists: CredentialLists?, isNew: Bool = false) {
    state.withLock { (state) in
      (state.lists, state.isLoaded) = (lists, true)
      guard isNew else { return }
      // A sample has thousands of accounts at most, also of a store with millions.
      state.accountCount = max(state.accountCount + state.newAccountCount, lists?.accountCount ?? 0)
      state.newAccountCount = 0
    }
  }

  /// Counts a new account. Returns whether a new sample is due.
  func countNewAccount() -> Bool {
    state.withLock { (state) in
      state.newAccountCount += 1
      return state.newAccountCount >= max(1, max(state.accountCount, state.lists?.accountCount ?? 0) / 4)
    }
  }
}

extension AuthService {
  /// Finds the account of a name, or creates a decoy in its place. The work depends only on the number of
  /// credentials in the answer: the decoy is chosen first, and the store reads as many stand-ins as the decoy has
  /// credentials.
  func identification(of name: AccountName?) async throws(ServiceError) -> UserIdentification {
    guard let name else { return .fromResponse }
    var choice = try await decoyLists().map { decoys.choice(for: name.key, like: $0) }
    let (limit, standInCount) = (policy.offeredPasskeyCount, choice?.count ?? 1)
    let candidate = try await withStorage { (storage) throws(StorageError) in
      try await storage.candidate(name, limit: limit, standInCount: standInCount)
    }
    let known = candidate.map { (user: $0.account.handle, credentials: $0.credentials) }
    // The first accounts may have been created by other means than a registration on this server.
    if choice == nil, known != nil {
      choice = try await sampleDecoyLists().map { decoys.choice(for: name.key, like: $0) }
    }
    return try mapCeremonyErrors(to: .signInCeremonyFailed) { () throws(CeremonyError) in
      guard let choice else { return try decoys.identification(for: name.key, known: known) }
      return try decoys.identification(for: name.key, known: known, choice: choice)
    }
  }

  /// Returns the newest of an account's credentials, limited to the number that options list.
  func offered(_ credentials: [CredentialDescriptor]) -> [CredentialDescriptor] {
    credentials.suffix(policy.offeredPasskeyCount)
  }

  private func decoyLists() async throws(ServiceError) -> CredentialLists? {
    if let loaded = decoyLists.loaded { return loaded }
    try await loadDecoyLists()
    return decoyLists.loaded ?? nil
  }

  /// Loads the lists kept in the store. Samples new ones if none are stored, or if their maximum or the length of
  /// their handles differs from the policy's.
  func loadDecoyLists() async throws(ServiceError) {
    let bytes = try await withStorage { (storage) throws(StorageError) in try await storage.decoyLists() }
    if let lists = bytes.flatMap(CredentialLists.init(parsing:)), lists.maximumCount == policy.offeredPasskeyCount,
      lists.userHandleByteCount == policy.identifiers.handles.byteCount
    {
      decoyLists.set(lists)
    } else {
      try await sampleDecoyLists()
    }
  }

  /// Samples new lists from the store's accounts and stores them.
  @discardableResult
  private func sampleDecoyLists() async throws(ServiceError) -> CredentialLists? {
    let accounts = try await withStorage { (storage) throws(StorageError) in
      try await storage.credentialLists(limit: Self.sampledCredentialCount)
    }
    let lists = CredentialLists(
      of: accounts.map(offered), atMost: policy.offeredPasskeyCount,
      userHandleByteCount: policy.identifiers.handles.byteCount)
    if let lists {
      try await withStorage { (storage) throws(StorageError) in try await storage.storeDecoyLists(lists.encoded) }
    }
    decoyLists.set(lists, isNew: true)
    return lists
  }

  /// Counts an account that was created, recovered or approved, and samples new lists when the number of accounts that are
  /// not pending has grown by a quarter. If sampling fails, the next call tries again.
  ///
  /// A further passkey of an account does not count: one user could otherwise cause samples, and learn from the changes of
  /// lists which names are decoys.
  func countNewAccount() async {
    if decoyLists.countNewAccount() { _ = try? await sampleDecoyLists() }
  }

  // 8,192 credentials [sampling takes some tens of milliseconds, and estimates each of thirty lists to within about one
  // percent]
  private static let sampledCredentialCount = 8_192
}
