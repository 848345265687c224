// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// An account as a server describes it. Absent members are nil.
public struct ServerAccount: Hashable, Sendable {
  /// The server's ID of the account.
  public let id: String?

  /// The email address or other user name.
  public let address: String?

  /// The account's state, such as `active` or `pending`.
  public let state: String?

  /// The account's roles.
  public let roles: [String]

  /// Reads the member of a reply that describes the account. `user` is the address from the request or the session, for
  /// a server that does not repeat it.
  init(_ reply: JSONValue, _ profile: ServerProfile, of user: String?) {
    let object = (try? reply[profile.accountMember]).flatMap { $0 }
    func text(_ name: String) -> String? { try? object?[name]?.string }
    id = text("id")
    address = text(profile.addressMember) ?? user
    state = text("state")
    roles = (try? object?["roles"]?.array).map { $0.compactMap { try? $0.string } } ?? []
  }
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
  public let isPending: Bool
}

/// The signed-in account and the remaining time of its session.
public struct SignedInAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// When the session expires, if the server says so.
  public let expiry: Timestamp?

  /// The number of seconds left, if the server warns that the session expires soon.
  public let secondsLeft: Int?

  /// The server's reply.
  public let reply: ServerReply
}
