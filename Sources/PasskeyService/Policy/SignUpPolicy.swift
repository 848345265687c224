// SPDX-License-Identifier: Apache-2.0

/// Who may make an account.
public enum SignUpPolicy: String, Hashable, Sendable, CaseIterable {
  /// Whoever comes.
  case open
  /// Whoever has a one-time code from an administrator.
  case invitation
  /// Whoever comes, and an administrator approves each before it can be used. Whoever has a code is approved already.
  case approval
}
