// SPDX-License-Identifier: Apache-2.0

/// The reaction to a suspicious signal about a credential. Each reaction records the signal.
public enum SignalPolicy: String, Hashable, Sendable, CaseIterable {
  /// Marks the passkey and allows the sign-in.
  case report
  /// Refuses the sign-in.
  case refuse
  /// Refuses the sign-in, disables the passkey, and ends all sessions of the account.
  case disable
}
