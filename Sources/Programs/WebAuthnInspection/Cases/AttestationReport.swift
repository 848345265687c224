// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// Prints the outcome of an attestation: its trust, the claims that it proves, and the description of an Android key.
enum AttestationReport {
  /// One line for each fact. Lines about an authorization list of an Android key are indented.
  static func facts(of outcome: AttestationOutcome) -> [String] {
    let claims = outcome.provenClaims
    var lines = [
      outcome.format == .none
        ? "attestation: none"
        : "attestation: \(outcome.format), \(outcome.type.rawValue), \(outcome.trust)",
      "signed claims: \(claims.signed)",
      "claims that the trust anchor vouches for: \(claims.vouched)",
    ]
    if let version = outcome.firmwareVersion { lines.append("firmware version: \(version)") }
    if let key = outcome.androidKey { lines += KeyDescriptionReport.facts(of: key) }
    return lines
  }

  /// Writes the member `attestation`.
  static func write(_ outcome: AttestationOutcome, into output: inout JSONObjectWriter) {
    output.writeObject("attestation") { attestation in
      attestation.write("format", .string(outcome.format.rawValue))
      attestation.write("type", .string(outcome.type.rawValue))
      attestation.write("trust", .string("\(outcome.trust)"))
      if !outcome.tolerances.isEmpty {
        attestation.writeArray("tolerated") { list in
          for tolerance in outcome.tolerances { list.write(.string(tolerance.rawValue)) }
        }
      }
      attestation.writeObject("provenClaims") { claims in
        write("signed", outcome.provenClaims.signed, into: &claims)
        write("vouched", outcome.provenClaims.vouched, into: &claims)
      }
      if let version = outcome.firmwareVersion { attestation.write("firmwareVersion", .integer(version)) }
      if let key = outcome.androidKey {
        attestation.writeObject("keyDescription") { KeyDescriptionReport.write(key, into: &$0) }
      }
    }
  }

  private static func write(_ name: String, _ claims: AttestedClaims, into output: inout JSONObjectWriter) {
    output.writeArray(name) { list in for claim in claims.names { list.write(.string(claim)) } }
  }
}
