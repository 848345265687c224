// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Proof that a confirmation of an action was spent and recorded. Only the service creates one, so a function with this
/// parameter cannot be called without a confirmation. The caller must perform exactly this action, now, and once.
public struct SpentConfirmation: Hashable, Sendable {
  /// The account that confirmed the action.
  public let account: Account

  /// The session in which it was confirmed.
  public let session: SessionID

  /// The confirmed action.
  public let action: ProtectedAction

  /// The time when the confirmation was spent.
  public let time: Timestamp
}
