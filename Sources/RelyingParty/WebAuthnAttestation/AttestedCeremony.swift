// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The inputs of every verification procedure besides the statement (§6.5.3).
struct AttestedCeremony {
  let authenticatorData: AuthenticatorData
  let credential: AttestedCredentialData
  let credentialPublicKey: COSEKey
  let clientDataHash: Bytes

  /// The time at which the certificates and the response are verified.
  let time: UnixTime

  /// The time at which status reports about the model are evaluated: later than ``time`` when a stored credential is
  /// reassessed.
  let statusTime: UnixTime

  /// SHA-256
  private static let clientDataHashByteCount = 32

  init(
    authenticatorData: AuthenticatorData, credentialPublicKey: COSEKey, clientDataHash: Bytes, time: UnixTime,
    statusTime: UnixTime? = nil
  ) throws(AttestationError) {
    guard let credential = authenticatorData.attestedCredentialData else {
      throw AttestationError(.missingCredential)
    }
    // A shorter hash would shift the boundary between the two parts of the signed bytes.
    guard clientDataHash.count == Self.clientDataHashByteCount else {
      throw AttestationError(.invalidClientDataHash, "\(clientDataHash.count) bytes")
    }
    self.authenticatorData = authenticatorData
    self.credential = credential
    self.credentialPublicKey = credentialPublicKey
    self.clientDataHash = clientDataHash
    self.time = time
    self.statusTime = statusTime ?? time
  }

  /// The authenticator data followed by the hash of the client data: attToBeSigned in the standard.
  var signedBytes: Bytes { authenticatorData.encoded + clientDataHash }

  /// The nonce, for the formats that contain one.
  var nonce: [UInt8] { Digest.sha256(signedBytes) }

  /// Verifies that a certificate contains the credential's key.
  func requireCredentialKey(in certificate: X509Certificate) throws(AttestationError) {
    let material: COSEKey.Material
    do throws(PasskeyCryptoError) {
      material = try COSEKey.Material(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded)
    } catch {
      throw AttestationError(.publicKeyMismatch, error)
    }
    guard material == credentialPublicKey.material else { throw AttestationError(.publicKeyMismatch) }
  }
}

/// A statement that passed its verification procedure; its trust is not yet assessed.
struct VerifiedStatement {
  let type: AttestationOutcome.Kind

  /// The claims that the statement proves if it is anchored.
  let claims: ProvenClaims

  /// The attestation trust path, the attestation certificate first; empty for none and self.
  var certificates: [X509Certificate] = []

  /// The Android key store's description of the key.
  var androidKey: KeyDescription?
}
