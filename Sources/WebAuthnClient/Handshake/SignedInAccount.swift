// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Who is signed in, and for how long still.
public struct SignedInAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// When the session ends, where the server says so.
  public let expiry: Timestamp?

  /// How many seconds are left, where the server warns that they are few.
  public let secondsLeft: Int?

  /// What the server replied.
  public let reply: ServerReply
}
