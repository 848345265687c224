// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

/// The origin of a change in the audit trail.
package enum ChangeActor: Hashable, Sendable {
  /// The server: its console, a delivery service, or a task of its own.
  case server
  /// The owner of an account.
  case account(UserHandle)

  /// Returns whether a record names this actor.
  func made(_ record: AuditRecord) -> Bool {
    switch self {
    case .server: record.actor == nil
    case .account(let handle): record.actor == handle
    }
  }
}
