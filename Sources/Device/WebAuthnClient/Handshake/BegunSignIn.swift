// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnTypes

/// A sign-in that the server has begun, and that waits for the user's passkey.
public struct BegunSignIn: Sendable {
  /// The user, if the sign-in names one.
  public let user: String?

  /// The options for the authenticator.
  public let options: RequestOptions

  /// When the sign-in expires, if the server says so. Begin another one then.
  public let expiry: UnixTime?

  /// The `uiMode` that the server wishes, such as `immediate`: use a passkey of this device, or none. Nil for no wish.
  package let uiMode: String?

  let cookies: CookieJar

  /// The values to send back.
  let kept: KeptValues
}

/// How a program asks for the passkey of a sign-in.
public enum SignInRequestMediation: String, Hashable, Sendable, CaseIterable {
  /// At once.
  case modal
  /// When the user chooses a passkey in a form. The server keeps such a sign-in for longer.
  case conditional
}
