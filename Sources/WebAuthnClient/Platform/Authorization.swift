// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// How a command proves that the user is verified.
enum Authorization: Sendable {
  /// No user verification.
  case none
  /// Built-in user verification during the command (`uv`).
  case byCommand
  /// A token from an earlier user verification.
  case token(PINUVAuthToken)

  /// Whether the user is verified in any way.
  var isGiven: Bool {
    if case .none = self { false } else { true }
  }

  /// Whether user verification takes place during the command.
  var isByCommand: Bool {
    if case .byCommand = self { true } else { false }
  }

  /// Returns the token's authentication tag and its protocol version, or nil without a token.
  func parameters(for message: Bytes) -> (tag: Bytes, version: UInt64)? {
    guard case .token(let token) = self else { return nil }
    return (token.authenticate(message), token.version.rawValue)
  }

  /// The value of the option `uv`. It is not sent with a token.
  var userVerificationOption: Bool? { isByCommand ? true : nil }
}
