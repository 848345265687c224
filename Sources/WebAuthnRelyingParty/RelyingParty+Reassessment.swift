// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
public import WebAuthnAttestation
internal import WebAuthnTypes
public import WireFormats

extension RelyingParty {
  /// Judges the attestation of a stored credential again, by today's policy: anchors, metadata, revocation.
  ///
  /// The record of a registration keeps what that takes (WebAuthn §7.1 step 27): the attestation object, the client data
  /// and the time. Call it for each stored credential when metadata or revocation lists have changed, on a relying party
  /// that has the new policy. Nothing is changed: what to do with a credential that is refused is the caller's decision.
  ///
  /// Certificates are judged at the time of the registration, since some live for days only, and at `now` where the record
  /// keeps no time; reports about the model are judged at `now`. A revoked certificate is refused whenever it was revoked.
  /// - Throws: `reassessment.attestation-missing`, `reassessment.attestation-malformed` or
  ///   `reassessment.attestation-mismatch` for a record that cannot be judged, `reassessment.attestation-invalid` and
  ///   `reassessment.attestation-not-acceptable` for one that is refused, with the cause.
  public func reassess(
    _ credential: StoredCredential, at now: Timestamp
  ) throws(CeremonyError) -> AttestationOutcome {
    let record = credential.record
    guard let encoded = record.attestationObject, let clientData = record.attestationClientDataJSON else {
      throw CeremonyError(
        .reassessmentAttestationMissing, .init("an attestation object and client data", "\(record.id) without them"))
    }
    let (object, key) = try readAttestation(encoded, of: record)
    do throws(AttestationError) {
      return try attestation.verify(
        object, credentialPublicKey: key, clientDataHash: Digest.sha256(clientData)[...],
        at: record.registered ?? now, statusTime: now)
    } catch {
      let code =
        error.code.isAboutTrust
        ? CeremonyError.Code.reassessmentAttestationNotAcceptable : .reassessmentAttestationInvalid
      throw CeremonyError(code, step: error.code.isAboutTrust ? 24 : 22, cause: .attestation(error))
    }
  }

  /// The attestation object, which is about this credential, its key and this relying party.
  private func readAttestation(
    _ encoded: Bytes, of record: CredentialRecord
  ) throws(CeremonyError) -> (AttestationObject, COSEKey) {
    let object: AttestationObject
    do throws(FormatError) {
      object = try AttestationObject(parsing: encoded)
    } catch {
      throw CeremonyError(.reassessmentAttestationMalformed, cause: .format(error))
    }
    let data = object.authenticatorData
    let attested = data.attestedCredentialData
    guard attested?.credentialID == record.id.bytes, attested?.credentialPublicKey == record.publicKey else {
      throw CeremonyError(.reassessmentAttestationMismatch, .init("\(record.id) and its key", "another credential"))
    }
    guard data.relyingPartyIDHash == idHash[...] else {
      throw CeremonyError(
        .reassessmentAttestationMismatch, .init("SHA-256 of \(id)", Hex.encode(data.relyingPartyIDHash)))
    }
    do throws(COSEError) {
      return (object, try COSEKey(parsing: record.publicKey))
    } catch {
      throw CeremonyError(.reassessmentAttestationMalformed, cause: .key(error))
    }
  }
}
