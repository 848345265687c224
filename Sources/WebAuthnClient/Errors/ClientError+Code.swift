// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The cause of an error. Never renamed once released; more may be added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // MARK: The rules of WebAuthn §5

    /// The origin may not use this RP ID, itself or as a related origin.
    case originNotAllowed = "client.origin-not-allowed"

    /// The user, or the authenticator, said no.
    case notAllowed = "client.not-allowed"

    // MARK: The network

    /// The server cannot be reached.
    case unreachable = "client.unreachable"
  }
}
