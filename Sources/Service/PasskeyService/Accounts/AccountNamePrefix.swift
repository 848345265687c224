// SPDX-License-Identifier: Apache-2.0

extension Account {
  /// The beginning of a user name or of an email address, folded like the names of accounts, so that case makes no
  /// difference.
  public struct NamePrefix: Hashable, Sendable {
    /// The beginning of an address (``EmailAddress/text``); nil if no address begins with the text.
    package let email: String?

    /// The beginning of the key of a user name (``Username/key``); nil if no user name begins with the text.
    package let usernameKey: String?

    /// Folds a text. Returns nil if it is empty, and then selects nothing in particular.
    ///
    /// White space around the text is ignored.
    public init?(_ text: String) {
      let bytes = Array(text.utf8).trimmingWhiteSpace
      guard !bytes.isEmpty else { return nil }
      let trimmed = String(decoding: bytes, as: UTF8.self)
      email = bytes.allSatisfy { 0x21...0x7e ~= $0 } ? trimmed.lowercased() : nil
      usernameKey = (try? Username(trimmed))?.key
    }

    /// Whether the address of an account begins with the prefix.
    package func beginsEmail(of account: Account) -> Bool {
      guard let email, let address = account.email else { return false }
      return address.text.utf8.starts(with: email.utf8)
    }

    /// Whether the user name of an account begins with the prefix.
    package func beginsUsername(of account: Account) -> Bool {
      guard let usernameKey, let username = account.username else { return false }
      return username.key.utf8.starts(with: usernameKey.utf8)
    }

    func begins(_ account: Account) -> Bool { beginsEmail(of: account) || beginsUsername(of: account) }
  }
}
