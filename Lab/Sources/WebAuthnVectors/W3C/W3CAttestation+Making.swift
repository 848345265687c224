// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

extension W3CAttestation {
  /// Returns the authenticator's configuration for this attestation.
  func device(_ values: W3CValues) throws(PasskeyCryptoError) -> DeviceAttestation {
    switch self {
    case .none: .none
    case .selfSigned: .selfSigned
    default: .batch(try maker(values), enterprise: nil)
    }
  }

  private func maker(_ values: W3CValues) throws(PasskeyCryptoError) -> any AttestationMaker {
    switch self {
    case .none: NoneAttestationMaker()
    case .selfSigned: SelfAttestationMaker()
    case .packed: PackedAttestationMaker(try Self.identity(values))
    case .fidoU2F: FIDOU2FAttestationMaker(try Self.identity(values))
    case .tpm: W3CTPMAttestationMaker(TPMAttestationMaker(try Self.tpmIdentity(values)))
    case .androidKey:
      W3CAndroidKeyAttestationMaker(
        AndroidKeyAttestationMaker(
          try W3CAuthority.issuer(), name: W3CAuthority.attestation, serialNumber: values.serialNumber,
          validity: W3CAuthority.validity))
    case .apple:
      AppleAttestationMaker(
        try W3CAuthority.issuer(), name: W3CAuthority.attestation, serialNumber: values.serialNumber,
        validity: W3CAuthority.validity)
    }
  }

  private static func tpmIdentity(_ values: W3CValues) throws(PasskeyCryptoError) -> AttestationIdentity {
    try identity(
      values, .empty,
      [
        .attestationKeyPurpose,
        .trustedPlatformModule(
          manufacturer: "id:00000000", model: "WebAuthn test vectors", version: "id:00000000"),
      ])
  }

  private static func identity(
    _ values: W3CValues, _ name: CertificateName = W3CAuthority.attestation, _ extensions: [CertificateExtension] = []
  ) throws(PasskeyCryptoError) -> AttestationIdentity {
    guard let key = values.attestationKey else {
      throw PasskeyCryptoError(.keyMismatch, "no attestation key was drawn")
    }
    let issuer = try W3CAuthority.issuer()
    var certificate = try issuer.leaf(
      name, publicKey: key.publicKey, serialNumber: values.serialNumber, validity: W3CAuthority.validity)
    certificate.extensions += extensions
    return AttestationIdentity(
      key: key, certificates: [try certificate.certificate(signedBy: issuer.key, .deterministic)])
  }
}

/// A TPM with the clock values of the standard's vector.
private struct W3CTPMAttestationMaker: AttestationMaker {
  private let maker: TPMAttestationMaker

  init(_ maker: TPMAttestationMaker) {
    self.maker = maker
  }

  var format: AttestationFormat { maker.format }

  func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    var certification = try maker.certification(of: subject)
    // TPMS_CLOCK_INFO: clock, resetCount, restartCount, safe.
    certification.clockInfo =
      [UInt8](repeating: 0x00, count: 8) + [UInt8](repeating: 0x11, count: 4) + [UInt8](repeating: 0x22, count: 4)
      + [0x33]
    return try maker.statement(for: subject, certification)
  }
}

/// An Android key store in software, without KeyMint.
private struct W3CAndroidKeyAttestationMaker: AttestationMaker {
  private let maker: AndroidKeyAttestationMaker

  init(_ maker: AndroidKeyAttestationMaker) {
    self.maker = maker
  }

  var format: AttestationFormat { maker.format }

  func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    var description = AndroidKeyDescription(of: subject)
    description.attestationSecurityLevel = 0
    description.keyMintVersion = 0
    description.keyMintSecurityLevel = 0
    return try maker.statement(for: subject, maker.certificate(for: subject, description))
  }
}
