// SPDX-License-Identifier: Apache-2.0

/// The rule for creating accounts.
public enum SignUpPolicy: String, Hashable, Sendable, CaseIterable {
  /// Anyone can create an account.
  case open
  /// Creating an account requires a one-time code from an administrator.
  case invitation
  /// Anyone can create an account, but an administrator must approve it before use. An invitation code counts as
  /// approval.
  case approval
}
