// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension AccountSession {
  /// How the user of a session was authenticated, in the words that are registered for it.
  public struct Strength: Hashable, Sendable {
    /// An authentication context class (OpenID Connect Extended Authentication Profile, ACR values).
    public enum ContextClass: String, Hashable, Sendable, CaseIterable {
      /// Phishing-resistant: a passkey answers only to its own site.
      case phishingResistant = "phr"
      /// Phishing-resistant, with a key in hardware.
      case hardwareProtected = "phrh"
    }

    /// The class, for `acr`. It is ``ContextClass/hardwareProtected`` only if a trust anchor vouches for the passkey's
    /// authenticator and the passkey cannot be synchronized.
    public let contextClass: ContextClass

    /// The methods, for `amr` (RFC 8176): `pop`, a proof of possession; `user`, a test of presence; and if it is known,
    /// `hwk` or `swk`, a key in hardware or in software.
    public let methods: [String]

    /// Whether the class is one of `classes`, or above one of them.
    package func satisfies(_ classes: [ContextClass]) -> Bool {
      contextClass == .hardwareProtected || classes.contains(.phishingResistant)
    }

    /// The strength of an assertion of this passkey; nil for one of an unknown passkey.
    init(_ passkey: Passkey?) {
      let isSynchronizable = passkey?.record.backupEligible == true
      let isAttested = passkey?.attestation.trust == .anchored && !isSynchronizable
      contextClass = isAttested ? .hardwareProtected : .phishingResistant
      methods = ["pop"] + (isAttested ? ["hwk"] : isSynchronizable ? ["swk"] : []) + ["user"]
    }
  }
}
