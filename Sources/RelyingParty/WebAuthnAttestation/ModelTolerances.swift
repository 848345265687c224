// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

/// Models whose attestation is accepted despite known deviations from its format.
///
/// The AAGUID comes from the authenticator data and is not proven when the tolerance is applied. Tolerances are
/// therefore limited to deviations that do not help an attacker: a certificate without basic constraints is not a CA
/// (RFC 5280 §4.2.1.9), and `ProvenClaims` never includes the AAGUID of a `fido-u2f` statement.
package struct ModelTolerances: Hashable, Sendable {
  /// The models whose `packed` and `tpm` certificates may lack basic constraints (§8.2.1, §8.3.1).
  package var withoutBasicConstraints: Set<AAGUID>

  /// The AAGUIDs, besides zero, that are accepted with a `fido-u2f` statement.
  package var namedInFIDOU2F: Set<AAGUID>

  /// Creates a set of tolerances.
  package init(withoutBasicConstraints: Set<AAGUID> = [], namedInFIDOU2F: Set<AAGUID> = []) {
    self.withoutBasicConstraints = withoutBasicConstraints
    self.namedInFIDOU2F = namedInFIDOU2F
  }

  /// No tolerance: every model must comply with its format.
  package static let none = Self()

  /// The deviations of known test vectors. No security key in FIDO's metadata (no. 122) is known to require one.
  ///
  /// - The `fido-u2f` test vector of WebAuthn Level 3 (§16) has a random AAGUID, where CTAP's mapping of U2F writes
  ///   zeros.
  /// - The test device of java-webauthn-server has certificates without basic constraints, and uses its AAGUID in
  ///   `fido-u2f` statements.
  package static let known: Self = {
    let standard = AAGUID(uuid: "afb3c2ef-c054-df42-5013-d5c88e79c3c1")
    let java = AAGUID(uuid: "00010203-0405-0607-0809-0a0b0c0d0e0f")
    return Self(
      withoutBasicConstraints: Set([java].compactMap(\.self)),
      namedInFIDOU2F: Set([standard, java].compactMap(\.self)))
  }()
}
