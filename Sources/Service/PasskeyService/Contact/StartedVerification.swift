// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// A verification that waits for the code from a mail.
public struct StartedVerification: Sendable {
  /// The token that the client presents with the code. Send it to the client that began the verification only.
  public let token: Token

  /// The expiry time.
  public let expiry: UnixTime
}

/// The result of a correct code.
public enum VerifiedEmail: Sendable {
  /// The account was created with its passkey, and with a session if its state admits one.
  case registered(RegisteredPasskey)
  /// The address of a new account is verified. Its registration begins with the code.
  case admitted(OneTimeCode, expiry: UnixTime)
  /// The address of the account is verified.
  case verified(Account)
  /// The account has the new address, which is verified.
  case changed(Account)
}
