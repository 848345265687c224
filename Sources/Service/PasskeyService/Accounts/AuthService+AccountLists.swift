// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
public import WebAuthnTypes

// Lists of accounts for administrators, and what they do with several accounts at once.

extension AuthService {
  /// Lists accounts in the order of the filter, or with a prefix by name, one page at a time.
  ///
  /// - Parameters:
  ///   - handle: The last handle of the previous page; nil for the first page.
  ///   - filter: Selects the accounts by state, role and the beginning of a name.
  ///   - limit: The size of the page. A page never has more than 500 accounts.
  ///   - administrator: The proof of the right to administer accounts.
  /// - Returns: The accounts of the page. An empty page marks the end.
  /// - Throws: A storage code.
  public func accounts(
    after handle: UserHandle? = nil, matching filter: Account.Filter = Account.Filter(), limit: Int,
    by administrator: Administrator
  ) async throws(ServiceError) -> [Account] {
    let limit = min(max(limit, 0), Self.pageLength)
    return try await stored(async: await storage.accounts(after: handle, matching: filter, limit: limit))
  }

  /// Counts the accounts that a filter selects. Reads all of them, unless a prefix or a state selects few.
  ///
  /// - Throws: A storage code.
  public func accountCount(
    matching filter: Account.Filter = Account.Filter(), by administrator: Administrator
  ) async throws(ServiceError) -> Int {
    try await stored(async: await storage.accountCount(matching: filter))
  }

  /// Returns the names of those accounts that exist.
  ///
  /// - Throws: A storage code.
  package func names(
    of handles: Set<UserHandle>, by administrator: Administrator
  ) async throws(ServiceError) -> [UserHandle: String] {
    var names: [UserHandle: String] = [:]
    for handle in handles { names[handle] = try await stored(async: await storage.account(handle))?.name }
    return names
  }

  /// Approves several accounts with one confirmation. Accounts that are unknown, or no longer await it, are left out.
  ///
  /// - Parameters:
  ///   - handles: The handles of the accounts. The first 64 are approved.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The approved accounts.
  /// - Throws: `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a storage code.
  @discardableResult
  public func approve(
    _ handles: [UserHandle], by administrator: Administrator, confirmation: PresentedConfirmation? = nil,
    in context: CallContext
  ) async throws(ServiceError) -> [Account] {
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    var approvals: [(handle: UserHandle, audit: [AuditDraft])] = []
    for handle in handles.prefix(Self.maximumApprovalCount) where !approvals.contains(where: { $0.handle == handle }) {
      let draft = try draft(
        .accountApproved, by: administrator.handle, of: handle, subject: .account(handle), in: context)
      approvals.append((handle, [draft]))
    }
    let chosen = approvals
    return try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.approve(chosen, at: context.time, spending: grant, audit: spent)
    }
  }

  // 64 accounts  [the most texts in a list of a request; their locks are held together]
  private static let maximumApprovalCount = 64

  /// Lists the active sessions of an account, newest first.
  ///
  /// - Throws: `account.unknown`, or a storage code.
  public func sessions(
    of handle: UserHandle, by administrator: Administrator, in context: CallContext
  ) async throws(ServiceError) -> [AccountSession] {
    try await requireAccount(handle)
    return try await stored(
      async: await storage.sessions(
        of: handle, but: sweepBounds(at: context.time), keeping: nil, limit: policy.listedSessionCount))
  }
}
