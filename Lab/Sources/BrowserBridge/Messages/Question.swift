// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import WebAuthnTypes

/// A question to the user about a ceremony.
package struct Question: Sendable {
  /// The subject of a question.
  package enum Kind: Sendable {
    /// To create a passkey for a user.
    case create(user: String?)
    /// To sign in. The user is nil until the authenticator has chosen the passkey.
    case signIn(user: String?)
    /// To tell the site that a passkey exists already.
    case revealExisting
    /// To choose a passkey.
    case choose([PasskeyUser])
    /// To type the PIN of the device.
    case pin(attemptsLeft: UInt64?)
  }

  package let kind: Kind

  /// The origin of the page.
  package let origin: WebOrigin

  /// Whether a page of another origin embeds the page.
  package let isCrossOrigin: Bool

  /// The RP ID; nil for a device that names none.
  package let relyingPartyID: String?
}
