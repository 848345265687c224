// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import WebAuthnClient
package import WebAuthnTypes

/// The device of one ceremony.
package protocol BrowserDevice: Authenticator {
  /// Describes a failed ceremony to the user, with its code.
  func notice(of error: ClientError) -> String

  /// Deletes the passkey that the ceremony created, if there is one: no page gets its response.
  func discardRegistration() async

  /// Returns a response as JSON text, with the fault that is set.
  func json(of response: RegistrationResponse) async throws(BrowserError) -> [UInt8]

  /// Returns a response as JSON text, with the fault that is set.
  func json(of response: AuthenticationResponse) async throws(BrowserError) -> [UInt8]
}
