// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Proof that a confirmation of an act was spent, and is recorded. Only the service makes one: a function that demands it
/// cannot be called without, and its caller answers for carrying out this act, now, once.
public struct SpentConfirmation: Hashable, Sendable {
  /// Who confirmed.
  public let account: Account

  /// In which session.
  public let session: SessionID

  /// What was confirmed.
  public let action: ProtectedAction

  /// When it was spent.
  public let time: Timestamp
}
