// SPDX-License-Identifier: Apache-2.0

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

  /// Returns the account after the change, or nil if the change is not valid in the account's state. A store calls this
  /// inside its transaction.
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
