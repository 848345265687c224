// SPDX-License-Identifier: Apache-2.0

/// What the service does about a sign that something is wrong with a credential. All of them record it.
public enum SignalPolicy: String, Hashable, Sendable, CaseIterable {
  /// It is noted on the passkey, and the person is let in.
  case report
  /// The person is not let in this time.
  case refuse
  /// The person is not let in, the passkey is disabled, and all sessions of the account end.
  case disable
}
