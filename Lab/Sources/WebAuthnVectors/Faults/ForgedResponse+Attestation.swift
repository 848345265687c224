// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

extension ForgedResponse.Kind {
  /// A registration that a fictitious manufacturer attests at this time. The key is the credential's.
  package static func attestedRegistration(_ key: SigningKey, _ kind: AttestationKind, at time: UnixTime) -> Self {
    .attestedRegistration { (draft, data, clientDataHash, faults) throws(PasskeyCryptoError) in
      guard let parsed = try? AuthenticatorData(parsing: data[...]) else {
        // Malformed authenticator data have no statement.
        return StatementDraft(format: kind.format, statement: [:])
      }
      let maker = StatementMaker(
        aaguid: draft.credential?.aaguid ?? .zero, serialNumber: [1], faults: faults, time: time)
      let subject = try faults.applied(
        to: AttestationSubject(authenticatorData: parsed, clientDataHash: clientDataHash[...], credentialKey: key))
      return StatementDraft(format: kind.format, statement: try maker.statement(kind, for: subject))
    }
  }
}
