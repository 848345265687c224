// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// How a command is to show that the user is who they are.
enum Authorization: Sendable {
  /// Not at all.
  case none
  /// The authenticator finds out itself while it carries out the command (`uv`).
  case byCommand
  /// It found out before, and issued a token.
  case token(PINUVAuthToken)

  /// Whether the command is one of a user who is known.
  var isGiven: Bool {
    if case .none = self { false } else { true }
  }

  /// Whether who the user is comes out within the command alone.
  var isByCommand: Bool {
    if case .byCommand = self { true } else { false }
  }

  /// The token's tag, and its protocol.
  func parameters(for message: Bytes) -> (tag: Bytes, version: UInt64)? {
    guard case .token(let token) = self else { return nil }
    return (token.authenticate(message), token.version.rawValue)
  }

  /// What the option `uv` is: it is not sent with a token.
  var userVerificationOption: Bool? { isByCommand ? true : nil }
}
