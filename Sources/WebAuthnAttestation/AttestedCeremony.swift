// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// What every verification procedure is given besides the statement (§6.5.3).
struct AttestedCeremony {
  let authenticatorData: AuthenticatorData
  let credential: AttestedCredentialData
  let credentialPublicKey: COSEKey
  let clientDataHash: Bytes

  /// When the certificates and the response are judged.
  let time: Timestamp

  /// When the reports about the model are judged: later than ``time`` where a stored credential is judged again.
  let statusTime: Timestamp

  /// The authenticator data and behind them the hash of the client data: attToBeSigned, in the standard's words.
  let signedBytes: Bytes

  /// SHA-256
  private static let clientDataHashByteCount = 32

  init(
    authenticatorData: AuthenticatorData, credentialPublicKey: COSEKey, clientDataHash: Bytes, time: Timestamp,
    statusTime: Timestamp? = nil
  ) throws(AttestationError) {
    guard let credential = authenticatorData.attestedCredentialData else {
      throw AttestationError(.missingCredential)
    }
    // A shorter one would move the border between the two parts of what is signed.
    guard clientDataHash.count == Self.clientDataHashByteCount else {
      throw AttestationError(.invalidClientDataHash, "\(clientDataHash.count) bytes")
    }
    self.authenticatorData = authenticatorData
    self.credential = credential
    self.credentialPublicKey = credentialPublicKey
    self.clientDataHash = clientDataHash
    self.time = time
    self.statusTime = statusTime ?? time
    signedBytes = authenticatorData.encoded + clientDataHash
  }

  /// The nonce of the formats that carry one.
  var nonce: [UInt8] { Digest.sha256(signedBytes) }

  /// Demands that a certificate is about the credential's own key.
  func requireCredentialKey(in certificate: Certificate) throws(AttestationError) {
    let material: COSEKey.Material
    do throws(CryptoError) {
      material = try COSEKey.Material(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded)
    } catch {
      throw AttestationError(.publicKeyMismatch, error)
    }
    guard material == credentialPublicKey.material else { throw AttestationError(.publicKeyMismatch) }
  }
}

/// A statement whose procedure has succeeded; what it is worth is another matter.
struct VerifiedStatement {
  let type: AttestationType

  /// What it proves once it is anchored.
  let claims: ProvenClaims

  /// The attestation trust path, the attestation's certificate first; empty for none and self.
  var certificates: [Certificate] = []

  /// What Android's key store says about the key.
  var androidKey: KeyDescription?
}
