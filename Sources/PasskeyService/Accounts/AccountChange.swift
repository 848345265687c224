// SPDX-License-Identifier: Apache-2.0

/// What an administrator does to an account.
public enum AccountChange: Hashable, Sendable {
  /// A pending account may be used.
  case approve
  /// An account may be used no longer: its sessions end.
  case disable
  /// A disabled account may be used again.
  case enable
  /// An account has these roles and no others.
  case setRoles(Set<Role>)

  /// The account as it is afterwards; nil where it is not in a state from which the change leads. A store asks inside the
  /// transaction.
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

  /// Whether the change takes an administrator away, so that there must be another one. A store asks inside the
  /// transaction.
  public func removesAdministrator(_ account: Account) -> Bool {
    guard account.isActingAdministrator, let changed = applied(to: account) else { return false }
    return !changed.isActingAdministrator
  }
}

extension Account {
  /// Whether somebody can administer with it.
  public var isActingAdministrator: Bool { state == .active && roles.contains(.administrator) }
}
