// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The result of a registration on the authenticator (WebAuthn §6.5): authenticator data and an attestation statement.
package struct AttestationObject: ByteParsable, Sendable {
  /// The original bytes.
  package let encoded: Bytes

  /// The format of the statement.
  package let format: AttestationFormat

  /// The statement: an array in the compound format, a map in all others.
  package let statement: CBORValue

  /// The authenticator data.
  package let authenticatorData: AuthenticatorData

  /// Parses an attestation object that is all of `bytes`.
  ///
  /// Accepts any order of keys, because real authenticators misorder them, and ignores unknown members.
  ///
  /// - Throws: `attestation-object.malformed`, `attestation-object.missing-member`,
  ///   `attestation-object.invalid-member`, or a code of the form `authenticator-data.*`.
  package init(parsing bytes: Bytes) throws(FormatError) {
    let members = try CBORMemberReader(parsing: bytes, as: .attestationObject, rules: .wellFormed)
    let format = AttestationFormat(rawValue: try members.text("fmt"))
    let statement = try members.require("attStmt") { (value) throws(WireError) in
      if format == .compound { _ = try value.array } else { _ = try value.map }
      return value
    }
    let authenticatorData = try AuthenticatorData(parsing: members.bytes("authData"))
    self.encoded = bytes
    self.format = format
    self.statement = statement
    self.authenticatorData = authenticatorData
  }
}
