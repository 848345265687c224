// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension ServicePolicy {
  /// The names that new accounts must or may have, and the form of their handles.
  public struct Identifiers: Hashable, Sendable {
    /// The rule for one kind of name.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
      /// Every new account has one.
      case required
      /// A new account may have one.
      case optional
      /// No new account has one.
      case refused
    }

    /// The form of new handles. Existing accounts keep theirs.
    public enum HandleForm: String, Hashable, Sendable, CaseIterable {
      /// 32 random bytes.
      case random
      /// The 16 bytes of a random UUID (version 4, RFC 9562 §5.4).
      case uuid

      /// The length in bytes [WebAuthn §14.6.1 requires random handles; decoys have the same length].
      var byteCount: Int {
        switch self {
        case .random: 32
        case .uuid: 16
        }
      }
    }

    /// The rule for email addresses.
    public var email = Rule.required

    /// The rule for user names. Where email addresses are accepted too, a user name must not contain an @, so that no
    /// account can be named like another account's address.
    public var username = Rule.refused

    /// The length of a new user name in characters, at most 64.
    public var usernameLength = 1...Username.maximumCharacterCount

    /// The form of new handles.
    public var handles = HandleForm.random

    /// Whether beginning a registration already refuses a taken user name. Finishing it always does.
    public var refusesTakenUsernamesAtOnce = false

    /// Creates the default policy: an email address, and handles of 32 random bytes.
    public init() {}

    /// A description of the first invalid setting; nil if the policy is valid.
    var fault: String? {
      if email == .refused, username == .refused { return "accounts must have a user name or an email address" }
      if !(1...Username.maximumCharacterCount).contains(usernameLength.lowerBound)
        || usernameLength.upperBound > Username.maximumCharacterCount
      {
        return "a user name has 1 to 64 characters"
      }
      return nil
    }

    /// Checks the names of a new account.
    ///
    /// - Throws: `account.name-refused` if a required name is missing or a refused one is given;
    ///   `account.username-invalid` if the user name has the wrong length, contains an @, or does not follow
    ///   ``UsernameProfile``.
    func check(_ names: AccountNames) throws(ServiceError) {
      try Self.check(username, has: names.username != nil, "a user name")
      try Self.check(email, has: names.email != nil, "an email address")
      guard let username = names.username else { return }
      guard usernameLength.contains(username.text.count) else {
        throw ServiceError(
          .usernameInvalid, "\(usernameLength.lowerBound) to \(usernameLength.upperBound) characters")
      }
      if email != .refused, username.text.utf8.contains(UInt8(ascii: "@")) {
        throw ServiceError(.usernameInvalid, "@ is not allowed")
      }
      if let fault = UsernameProfile.fault(of: username.text) { throw ServiceError(.usernameInvalid, fault) }
    }

    private static func check(_ rule: Rule, has isGiven: Bool, _ kind: String) throws(ServiceError) {
      switch (rule, isGiven) {
      case (.required, false): throw ServiceError(.nameRefused, "\(kind) is required")
      case (.refused, true): throw ServiceError(.nameRefused, "\(kind) is not accepted")
      default: break
      }
    }
  }
}
