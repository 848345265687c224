// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// An account as a server describes it. Absent members are nil.
public struct ServerAccount: Hashable, Sendable {
  /// The server's ID of the account.
  public let id: String?

  /// The e-mail address or other user name.
  public let address: String?

  /// The account's state, such as `active` or `pending`.
  public let state: String?

  /// The account's roles.
  public let roles: [String]

  /// Reads the member of a reply that describes the account.
  init(_ reply: JSONValue, _ profile: ServerProfile) {
    let object = (try? reply[profile.accountMember]).flatMap { $0 }
    func text(_ name: String) -> String? { try? object?[name]?.string }
    id = text("id")
    address = text(profile.addressMember)
    state = text("state")
    roles = (try? object?["roles"]?.array).map { $0.compactMap { try? $0.string } } ?? []
  }
}
