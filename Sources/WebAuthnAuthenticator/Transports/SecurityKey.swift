// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A device that also speaks the older protocol, U2F, whose messages are ISO 7816 APDUs.
public protocol SecurityKey: Authenticator {
  /// Answers one command APDU with a response APDU, status word at the end.
  func respond(toAPDU command: Bytes) async -> Bytes
}
