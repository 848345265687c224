// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnAttestation
internal import WebAuthnTypes

extension RelyingParty {
  /// Verifies the attestation of a stored credential again, under the current policy: anchors, metadata and revocation.
  ///
  /// The credential record contains the required data (WebAuthn §7.1 step 27): the attestation object, the client data
  /// and the registration time. Call this for each stored credential after metadata or revocation lists have changed,
  /// on a relying party with the new policy. This function changes nothing: the caller decides what to do with a
  /// refused credential.
  ///
  /// Certificates are verified at the registration time, because some are valid for days only; a record without that
  /// time uses `now`. Status reports about the model are evaluated at `now`. A revoked certificate is refused
  /// regardless of its revocation date.
  /// - Throws: `reassessment.attestation-missing`, `reassessment.attestation-malformed` or
  ///   `reassessment.attestation-mismatch` for a record that cannot be verified; `reassessment.attestation-invalid` or
  ///   `reassessment.attestation-not-acceptable`, with the cause, for a record that is refused.
  public func reassess(
    _ credential: StoredCredential, at now: UnixTime
  ) throws(CeremonyError) -> AttestationOutcome {
    let record = credential.record
    guard let encoded = record.attestationObject, let clientData = record.attestationClientDataJSON else {
      throw CeremonyError(
        .reassessmentAttestationMissing, .init("an attestation object and client data", "\(record.id) without them"))
    }
    let (object, key) = try readAttestation(encoded, of: record)
    do throws(AttestationError) {
      return try attestation.verify(
        object, credentialPublicKey: key, clientDataHash: Digest.sha256(clientData),
        at: record.registered ?? now, statusTime: now)
    } catch {
      let code =
        error.code.isAboutTrust
        ? CeremonyError.Code.reassessmentAttestationNotAcceptable : .reassessmentAttestationInvalid
      throw CeremonyError(code, step: error.code.isAboutTrust ? 24 : 22, cause: .attestation(error))
    }
  }

  /// Parses the attestation object, and verifies that it belongs to this credential, its key and this relying party.
  private func readAttestation(
    _ encoded: [UInt8], of record: CredentialRecord
  ) throws(CeremonyError) -> (AttestationObject, COSEKey) {
    let object = try mapError(AttestationObject(parsing: encoded)) { (error: FormatError) in
      CeremonyError(.reassessmentAttestationMalformed, cause: .format(error))
    }
    let data = object.authenticatorData
    guard let attested = data.attestedCredentialData, attested.credentialID.elementsEqual(record.id.bytes),
      attested.credentialPublicKey.elementsEqual(record.publicKey)
    else {
      throw CeremonyError(.reassessmentAttestationMismatch, .init("\(record.id) and its key", "another credential"))
    }
    guard data.relyingPartyIDHash.elementsEqual(idHash) else {
      throw CeremonyError(
        .reassessmentAttestationMismatch, .init(hash: data.relyingPartyIDHash, with: idHash, of: id.text))
    }
    return try mapError((object, COSEKey(parsing: record.publicKey))) { (error: COSEError) in
      CeremonyError(.reassessmentAttestationMalformed, cause: .key(error))
    }
  }
}
