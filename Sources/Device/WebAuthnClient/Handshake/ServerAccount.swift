// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnTypes

/// An account as a server describes it. Absent members are nil.
public struct ServerAccount: Hashable, Sendable {
  /// The server's ID of the account.
  public let id: String?

  /// The email address or other user name.
  public let address: String?

  /// The account's state, such as `active` or `pending`.
  public let state: String?

  /// The account's roles.
  package let roles: [String]

  /// Reads an account from the values of a reply. `user` is the name from the request or the session: the account is
  /// known by it, if it is one of the account's names or the server repeats none.
  init(_ values: ShapeValues, of user: String?) {
    id = values.text(.accountID)
    let names = [ShapeVariable.accountUsername, .accountName, .accountEmail].compactMap { values.text($0) }
    address = names.first { (name) in name.lowercased() == user?.lowercased() } ?? names.first ?? user
    state = values.text(.accountState)
    roles =
      values.texts(.accountRoles) ?? (values.boolean(.accountIsAdministrator) == true ? [Self.administratorRole] : [])
  }

  /// The role of an account that a server describes as an administrator's.
  private static let administratorRole = "admin"
}

/// The result of a registration.
public struct RegisteredAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// The new passkey.
  public let credential: CredentialID

  /// The new session, or the session in which the passkey was added. Nil without a session, for example while the
  /// account waits for approval.
  public let session: ServerSession?

  /// Whether an administrator must approve the account first.
  package let isPending: Bool

  /// The verification of the email address that must be finished before the account can be used. The server answers so for
  /// taken addresses too, and then no code finishes it.
  public let verification: AddressVerification?
}

/// The signed-in account and the remaining time of its session.
package struct SignedInAccount: Sendable {
  /// The account.
  package let account: ServerAccount

  /// When the session expires, if the server says so.
  package let expiry: UnixTime?

  /// The number of seconds left, if the server warns that the session expires soon.
  package let secondsLeft: Int?

  /// The server's reply.
  package let reply: ServerReply
}
