// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// A user account: a random handle, a user name or an email address or both, and no other personal data.
public struct Account: Hashable, Sendable {
  /// The states of an account.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The account waits for an administrator's approval and cannot sign in yet.
    case pending
    /// The account can be used.
    case active
    /// An administrator has disabled the account.
    case disabled
    /// An administrator has refused to approve the account.
    case rejected
  }

  /// The random user handle that authenticators and the audit trail refer to.
  public var handle: UserHandle

  /// The names that identify the account at sign-in.
  public var names: AccountNames

  /// The time when the owner proved to receive mail at the email address; nil if it was never verified.
  public var emailVerified: UnixTime?

  /// Whether the email address must be verified before the account can be used.
  public var awaitsVerification: Bool

  /// The state, which decides whether the account can be used.
  public var state: State

  /// The roles, which grant rights beyond the account's own data.
  public var roles: Set<Role>

  /// The creation time.
  public var created: UnixTime

  /// The time of the last change of the names, the state or the roles.
  public var updated: UnixTime

  /// The language and the time zone of the mails about the account.
  public var locale = MailLocale()

  /// Creates an account from its stored fields. Without `updated`, the account has not changed since its creation.
  public init(
    handle: UserHandle, names: AccountNames, emailVerified: UnixTime? = nil, awaitsVerification: Bool = false,
    state: State, roles: Set<Role> = [], created: UnixTime, updated: UnixTime? = nil
  ) {
    self.handle = handle
    self.names = names
    self.emailVerified = emailVerified
    self.awaitsVerification = awaitsVerification
    self.state = state
    self.roles = roles
    self.created = created
    self.updated = updated ?? created
  }

  /// Creates an account without a user name.
  public init(handle: UserHandle, email: EmailAddress, state: State, roles: Set<Role> = [], created: UnixTime) {
    self.init(handle: handle, names: AccountNames(email: email), state: state, roles: roles, created: created)
  }

  /// The user name.
  public var username: Username? { names.username }

  /// The email address, which is the only contact.
  public var email: EmailAddress? { names.email }

  /// The name to show: the user name, or without one the email address.
  public var name: String { names.primary.text }
}

extension Account {
  /// Selects accounts for a list.
  public struct Filter: Hashable, Sendable {
    /// The state of the accounts; nil for all.
    public var state: Account.State?

    /// A role that the accounts have; nil for all.
    public var role: Role?

    /// The beginning of a name that the accounts have; nil for all.
    public var prefix: NamePrefix?

    /// The order of the list. A search by prefix is in the order of names.
    public var order: Order

    /// Creates a filter from its fields.
    public init(
      state: Account.State? = nil, role: Role? = nil, prefix: NamePrefix? = nil, order: Order = .handle
    ) {
      self.state = state
      self.role = role
      self.prefix = prefix
      self.order = order
    }

    /// The order of a list of accounts.
    @nonexhaustive
    public enum Order: String, Hashable, Sendable {
      /// By handle, which is random.
      case handle
      /// By the bytes of addresses, then accounts without one by those of their user names.
      case name
      /// The newest account first.
      case newest
    }

    /// Returns whether the account is selected.
    package func selects(_ account: Account) -> Bool {
      state.map { $0 == account.state } ?? true && role.map(account.roles.contains) ?? true
        && prefix.map { $0.begins(account) } ?? true
    }
  }
}

extension Account {
  /// A change that an administrator makes to an account.
  public enum Change: Hashable, Sendable {
    /// Activates a pending or rejected account.
    case approve
    /// Refuses to approve a pending account, and ends its sessions.
    case reject
    /// Disables an account that is not disabled, and ends its sessions.
    case disable
    /// Reactivates a disabled account.
    case enable
    /// Replaces the account's roles with this set.
    case setRoles(Set<Role>)
    /// Makes several changes, one after the other.
    case all([Change])

    /// Applies the change to an account. A store calls this inside its transaction.
    ///
    /// - Parameters:
    ///   - account: The account before the change.
    ///   - time: The time of the change; nil leaves ``Account/updated`` as it is.
    /// - Returns: The changed account; nil if the change is not valid in the account's state.
    package func applied(to account: Account, at time: UnixTime? = nil) -> Account? {
      var changed = account
      changed.updated = time ?? account.updated
      switch (self, account.state) {
      case (.approve, .pending), (.approve, .rejected), (.enable, .disabled): changed.state = .active
      case (.reject, .pending): changed.state = .rejected
      case (.disable, .pending), (.disable, .active), (.disable, .rejected): changed.state = .disabled
      case (.setRoles(let roles), _): changed.roles = roles
      case (.all(let changes), _):
        for change in changes {
          guard let next = change.applied(to: changed, at: time) else { return nil }
          changed = next
        }
      case (.approve, _), (.enable, _), (.reject, _), (.disable, .disabled): return nil
      }
      return changed
    }

    /// Returns the change that gives an account this state, and these roles; nil leaves one of them as it is.
    ///
    /// - Throws: `account.state-conflict` if an administrator cannot give the account this state.
    static func setting(
      _ state: Account.State?, _ roles: Set<Role>?, of account: Account
    ) throws(ServiceError) -> Change {
      var changes: [Change] = []
      switch (account.state, state) {
      case (_, nil), (.pending, .pending), (.active, .active), (.disabled, .disabled), (.rejected, .rejected): break
      case (.pending, .active), (.rejected, .active): changes.append(.approve)
      case (.disabled, .active): changes.append(.enable)
      case (.pending, .rejected): changes.append(.reject)
      case (_, .disabled): changes.append(.disable)
      case (_, .pending), (_, .rejected): throw ServiceError(.accountStateConflict)
      }
      if let roles, roles != account.roles { changes.append(.setRoles(roles)) }
      return .all(changes)
    }

    /// Returns whether the change removes an acting administrator, in which case another one must remain. A store calls
    /// this inside its transaction.
    package func removesAdministrator(_ account: Account) -> Bool {
      guard account.isActingAdministrator, let changed = applied(to: account) else { return false }
      return !changed.isActingAdministrator
    }
  }
}

extension Account {
  /// Whether the state ends the account's sessions and ceremonies.
  package var isClosed: Bool { state == .disabled || state == .rejected }

  /// Whether the account is active and has the administrator role.
  package var isActingAdministrator: Bool { state == .active && roles.contains(.administrator) }
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
