// SPDX-License-Identifier: Apache-2.0

extension Account {
  /// The progress of an account's approval, for an application that waits for it without a session.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// An administrator must approve the account, or no account has the names.
    case pending
    /// The account can sign in.
    case approved
    /// The account was rejected or disabled.
    case rejected
  }
}

extension AuthService {
  /// Returns the status of the account that has both a user name and an email address. A pair that belongs to no account
  /// counts as pending. The work does not depend on whether an account has one of the names.
  ///
  /// - Throws: A storage code.
  public func accountStatus(
    username: Username, email: EmailAddress
  ) async throws(ServiceError) -> Account.Status {
    let names = AccountNames(username: username, email: email)
    let account = try await owners(of: names).common(names)
    switch account?.state {
    case .active: return .approved
    case .disabled, .rejected: return .rejected
    case .pending, nil: return .pending
    }
  }
}
