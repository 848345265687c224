// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A user account: a random handle, an email address, and no other personal data.
public struct Account: Hashable, Sendable {
  /// The states of an account.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The account waits for an administrator's approval and cannot sign in yet.
    case pending
    /// The account can be used.
    case active
    /// An administrator has disabled the account.
    case disabled
  }

  /// The random user handle that authenticators and the audit trail refer to.
  public var handle: UserHandle

  /// The email address, which is the only contact and identifies the account at sign-in.
  public var email: EmailAddress

  /// The state, which decides whether the account can be used.
  public var state: State

  /// The roles, which grant rights beyond the account's own data.
  public var roles: Set<Role>

  /// The creation time.
  public var created: Timestamp

  /// The length of generated handles [WebAuthn §14.6.1 requires random ones; decoy handles have the same length].
  static let handleByteCount = 32

  /// Creates an account from its stored fields.
  public init(handle: UserHandle, email: EmailAddress, state: State, roles: Set<Role> = [], created: Timestamp) {
    self.handle = handle
    self.email = email
    self.state = state
    self.roles = roles
    self.created = created
  }
}

/// A change that an administrator makes to an account.
public enum AccountChange: Hashable, Sendable {
  /// Activates a pending account.
  case approve
  /// Disables a pending or active account and ends its sessions.
  case disable
  /// Reactivates a disabled account.
  case enable
  /// Replaces the account's roles with this set.
  case setRoles(Set<Role>)

  /// Applies the change to an account. A store calls this inside its transaction.
  ///
  /// - Returns: The changed account; nil if the change is not valid in the account's state.
  public func applied(to account: Account) -> Account? {
    var changed = account
    switch (self, account.state) {
    case (.approve, .pending), (.enable, .disabled): changed.state = .active
    case (.disable, .pending), (.disable, .active): changed.state = .disabled
    case (.setRoles(let roles), _): changed.roles = roles
    case (.approve, _), (.enable, _), (.disable, .disabled): return nil
    }
    return changed
  }

  /// Returns whether the change removes an acting administrator, in which case another one must remain. A store calls
  /// this inside its transaction.
  public func removesAdministrator(_ account: Account) -> Bool {
    guard account.isActingAdministrator, let changed = applied(to: account) else { return false }
    return !changed.isActingAdministrator
  }
}

extension Account {
  /// Whether the account is active and has the administrator role.
  public var isActingAdministrator: Bool { state == .active && roles.contains(.administrator) }
}

/// A role that grants rights beyond the account's own data. The set is open; the service itself defines one role.
public struct Role: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a role from its name, whether or not the service knows it.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Administers accounts: approves, disables, invites, recovers, and assigns roles.
  public static let administrator = Self(rawValue: "admin")

  // 32 bytes [an identifier, not prose]; 16 roles [enough for one person]
  static let maximumByteCount = 32
  static let maximumCount = 16

  /// Returns the roles as a set. Throws ``ServiceError/Code/roleInvalid`` if there are too many, or if a name has other
  /// characters than lower-case letters, digits and hyphens.
  static func roles(_ names: some Collection<Role>) throws(ServiceError) -> Set<Role> {
    let roles = Set(names)
    guard roles.count <= maximumCount, roles.allSatisfy(\.isWellFormed) else {
      throw ServiceError(.roleInvalid, "at most 16 names of at most 32 letters, digits and hyphens")
    }
    return roles
  }

  private var isWellFormed: Bool {
    1...Self.maximumByteCount ~= rawValue.utf8.count
      && rawValue.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "-")
      }
  }
}
