// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The lists that decoys are drawn from, as this server knows them.
///
/// They are taken from the store's own accounts, kept there for every server and every restart, and taken again when the
/// accounts have grown by a quarter: each time a few decoys change, which shows that they are decoys.
final class DecoyLists: Sendable {
  private struct State {
    var lists: CredentialLists?
    var isLoaded = false
    var registrationCount = 0
  }

  private let state = Locked(State())

  /// The lists; nil until some were loaded. Nil inside if no account has a passkey.
  var loaded: CredentialLists?? { state.withLock { $0.isLoaded ? .some($0.lists) : nil } }

  func set(_ lists: CredentialLists?, isNew: Bool = false) {
    state.withLock { (state) in
      (state.lists, state.isLoaded) = (lists, true)
      if isNew { state.registrationCount = 0 }
    }
  }

  /// Counts a registration; returns whether the lists are due to be taken again.
  func noteRegistration() -> Bool {
    state.withLock { (state) in
      state.registrationCount += 1
      return state.registrationCount >= max(1, (state.lists?.accountCount ?? 0) / 4)
    }
  }
}

extension AuthService {
  /// Finds the account of an address, or makes a decoy in its place. The work depends only on the credentials that the
  /// answer names: the decoy is chosen first, and the store reads as many stand-ins as it has credentials.
  func identification(of email: EmailAddress?) async throws(ServiceError) -> UserIdentification {
    guard let email else { return .fromResponse }
    var choice = try await decoyLists().map { decoys.choice(for: email.text, like: $0) }
    let (limit, standInCount) = (policy.offeredPasskeyCount, choice?.count ?? 1)
    let candidate = try await ask { (storage) throws(StorageError) in
      try await storage.candidate(email: email, limit: limit, standInCount: standInCount)
    }
    let known = candidate.map { (user: $0.account.handle, credentials: $0.credentials) }
    // The accounts may have been made by another way than a registration here.
    if choice == nil, known != nil {
      choice = try await takeDecoyLists().map { decoys.choice(for: email.text, like: $0) }
    }
    return try ceremony(.signInCeremonyFailed) { () throws(CeremonyError) in
      guard let choice else { return try decoys.identification(for: email.text, known: known) }
      return try decoys.identification(for: email.text, known: known, choice: choice)
    }
  }

  /// The newest credentials of an account, as many as options name.
  func offered(_ credentials: [CredentialDescriptor]) -> [CredentialDescriptor] {
    credentials.suffix(policy.offeredPasskeyCount)
  }

  private func decoyLists() async throws(ServiceError) -> CredentialLists? {
    if let loaded = decoyLists.loaded { return loaded }
    try await loadDecoyLists()
    return decoyLists.loaded ?? nil
  }

  /// Reads what some server has kept last; takes lists if none are kept, or if their maximum differs from the policy's.
  func loadDecoyLists() async throws(ServiceError) {
    let bytes = try await ask { (storage) throws(StorageError) in try await storage.decoyLists() }
    if let lists = bytes.flatMap(CredentialLists.init(parsing:)), lists.maximumCount == policy.offeredPasskeyCount {
      decoyLists.set(lists)
    } else {
      try await takeDecoyLists()
    }
  }

  /// Takes lists of the store's accounts, and keeps them.
  @discardableResult
  private func takeDecoyLists() async throws(ServiceError) -> CredentialLists? {
    let accounts = try await ask { (storage) throws(StorageError) in
      try await storage.credentialLists(limit: Self.sampledCredentialCount)
    }
    let lists = CredentialLists(of: accounts.map(offered), atMost: policy.offeredPasskeyCount)
    if let lists {
      try await ask { (storage) throws(StorageError) in try await storage.keepDecoyLists(lists.encoded) }
    }
    decoyLists.set(lists, isNew: true)
    return lists
  }

  /// Counts a registration, and takes lists again when the accounts have grown by a quarter. If that fails, the next
  /// registration tries again.
  func noteRegistration() async {
    if decoyLists.noteRegistration() { _ = try? await takeDecoyLists() }
  }

  // 8,192 credentials [some tens of milliseconds; of a mixture of thirty lists they give each to one percent or so]
  private static let sampledCredentialCount = 8_192
}
