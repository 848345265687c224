// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The signed-in account and the remaining time of its session.
public struct SignedInAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// When the session expires, if the server says so.
  public let expiry: Timestamp?

  /// The number of seconds left, if the server warns that the session expires soon.
  public let secondsLeft: Int?

  /// The server's reply.
  public let reply: ServerReply
}
