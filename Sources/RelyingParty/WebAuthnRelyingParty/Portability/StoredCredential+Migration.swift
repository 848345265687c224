// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

extension StoredCredential {
  /// Creates a credential from the row of another library, such as swift-webauthn: the ID as text, the key and the counter.
  ///
  /// Pass `uvInitialized: true` only if each registration required user verification, because sign-ins then count it as a
  /// factor. For an unknown backup eligibility pass false: the default policy reports the difference at a sign-in,
  /// ``CeremonyPolicy/strict`` refuses it.
  ///
  /// - Parameters:
  ///   - id: The credential ID in base64 or base64url, with or without padding.
  ///   - publicKey: The COSE_Key with the bytes from the authenticator.
  ///   - signCount: The stored signature counter.
  ///   - user: The user handle from the registration.
  ///   - uvInitialized: Whether the registration required user verification.
  ///   - backupEligible: Whether the passkey may be synchronized.
  ///   - backupState: Whether it was synchronized when it was last used.
  ///   - transports: The transports of the registration, if stored.
  /// - Throws: `credential-import.record-malformed` for the ID, `credential-import.key-malformed`, or
  ///   `credential-import.record-inconsistent` for a backup of a passkey that is not eligible for it.
  public init(
    migrating id: String, publicKey: [UInt8], signCount: UInt32, of user: UserHandle, uvInitialized: Bool,
    backupEligible: Bool, backupState: Bool, transports: [AuthenticatorTransport] = []
  ) throws(CeremonyError) {
    let credentialID: CredentialID
    do throws(FormatError) {
      let bytes = try mapError(Base64.decodeLeniently(id)) { (error: WireError) in
        FormatError(.credentialRecordInvalidMember, error, member: "id")
      }
      credentialID = try CredentialID(bytes)
    } catch {
      throw CeremonyError(.importRecordMalformed, cause: .format(error))
    }
    let key = try mapError(COSEKey(parsing: publicKey)) { (error: COSEError) in
      CeremonyError(.importKeyMalformed, cause: .key(error))
    }
    try mapError(key.requirePointOnCurve()) { (error: PasskeyCryptoError) in
      CeremonyError(.importKeyMalformed, cause: .crypto(error))
    }
    // §6.1.3: a credential that is not eligible for backup cannot be backed up.
    guard backupEligible || !backupState else {
      throw CeremonyError(.importRecordInconsistent, .init("backupState false or backupEligible true", "neither"))
    }
    self.init(
      user: user,
      record: CredentialRecord(
        id: credentialID, publicKey: publicKey, signCount: signCount, uvInitialized: uvInitialized,
        transports: transports, backupEligible: backupEligible, backupState: backupState))
  }
}
