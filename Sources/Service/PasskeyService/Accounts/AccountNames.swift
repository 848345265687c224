// SPDX-License-Identifier: Apache-2.0

/// The names of one account: a user name, an email address, or both.
public struct AccountNames: Hashable, Sendable {
  private enum Content: Hashable {
    case username(Username)
    case email(EmailAddress)
    case both(Username, EmailAddress)
  }

  private let content: Content

  /// Creates the names of an account that has a user name.
  public init(username: Username, email: EmailAddress? = nil) {
    content = if let email { .both(username, email) } else { .username(username) }
  }

  /// Creates the names of an account that has only an email address.
  public init(email: EmailAddress) {
    content = .email(email)
  }

  /// Creates the names that are given. Returns nil if there is neither.
  public init?(_ username: Username?, _ email: EmailAddress?) {
    switch (username, email) {
    case (let username?, let email): self.init(username: username, email: email)
    case (nil, let email?): self.init(email: email)
    case (nil, nil): return nil
    }
  }

  /// Creates the names that consist of one name only.
  public init(_ name: AccountName) {
    switch name {
    case .username(let username): self.init(username: username)
    case .email(let email): self.init(email: email)
    }
  }

  /// The user name.
  public var username: Username? {
    switch content {
    case .username(let username), .both(let username, _): username
    case .email: nil
    }
  }

  /// The email address.
  public var email: EmailAddress? {
    switch content {
    case .email(let email), .both(_, let email): email
    case .username: nil
    }
  }

  /// Each name.
  public var all: [AccountName] {
    [username.map(AccountName.username), email.map(AccountName.email)].compactMap(\.self)
  }

  /// The name to show and to sign in with: the user name, or without one the email address.
  package var primary: AccountName {
    switch content {
    case .username(let username), .both(let username, _): .username(username)
    case .email(let email): .email(email)
    }
  }
}

/// One name that identifies an account at sign-in.
public enum AccountName: Hashable, Sendable {
  /// A user name.
  case username(Username)
  /// An email address.
  case email(EmailAddress)

  /// Parses user input as the kind of name that the policy accepts. If it accepts both kinds, a text with an @ is an
  /// email address.
  ///
  /// - Throws: `account.username-invalid` or `account.email-invalid`.
  package init(_ text: String, by policy: ServicePolicy.Identifiers) throws(ServiceError) {
    let isEmail =
      switch (policy.username, policy.email) {
      case (.refused, _): true
      case (_, .refused): false
      default: text.utf8.contains(UInt8(ascii: "@"))
      }
    // The length limits of the policy are for new names, so that tighter ones lock no account out.
    self = isEmail ? .email(try EmailAddress(text)) : .username(try Username(text))
  }

  /// The name as text.
  public var text: String {
    switch self {
    case .username(let username): username.text
    case .email(let email): email.text
    }
  }

  /// A key for caches and rate limits: equal for equal names of one kind, and different for names of different kinds.
  /// It contains the name.
  public var key: String {
    switch self {
    case .username(let username): "user \(username.key)"
    case .email(let email): email.text
    }
  }
}

extension AccountName: CustomStringConvertible {
  /// The name as text.
  public var description: String { text }
}
