// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// An account, as far as a server tells of it.
public struct ServerAccount: Hashable, Sendable {
  /// The server's name for it.
  public let id: String?

  /// The e-mail address, or whatever the person is called by.
  public let address: String?

  /// Such as `active` or `pending`.
  public let state: String?

  /// What it may do.
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
