// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

// For verification by other implementations.

extension VerificationCase {
  /// The attestation format that the response names; nil for an authentication, and where it names none that the standard
  /// defines.
  package var attestationFormat: AttestationFormat? {
    guard ceremony == .registration, let members = try? JSON.parse(response).require("response"),
      let bytes = try? members.require("attestationObject").base64URL,
      let format = try? AttestationObject(parsing: bytes).format, Self.standardFormats.contains(format)
    else { return nil }
    return format
  }

  private static let standardFormats: Set<AttestationFormat> = [
    .none, .packed, .tpm, .androidKey, .androidSafetyNet, .fidoU2F, .apple, .compound,
  ]

  /// Returns the case with the ceremony at another time, and as long as it was.
  package func moved(to moment: UnixTime) -> Self {
    var other = self
    if let time, let begun { other.begun = moment + .seconds(begun.secondsSince1970 - time.secondsSince1970) }
    other.time = moment
    return other
  }
}
