// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

/// The result of verifying an attestation statement. Only AttestationVerifier creates one.
///
/// An outcome is not a verdict: ``trust`` states how far the attestation can be trusted. No property claims "verified",
/// because that would also hold without an anchor.
public struct AttestationOutcome: Sendable {
  /// The format of the statement.
  public let format: AttestationFormat

  /// The attestation type, if the attestation is trusted.
  public let type: Kind

  /// The trust of the attestation.
  public let trust: Trust

  /// The deviations of the certificate path that the policy tolerated; empty without a path to an anchor.
  package var tolerances: [PathTolerance] {
    if case .anchored(_, let path) = trust { path.tolerances } else { [] }
  }

  /// The certificates of the statement, the attestation certificate first. The others are only candidates for the path.
  package let certificates: [X509Certificate]

  /// The DER encodings of the statement's certificates, the attestation certificate first.
  public var certificateEncodings: [[UInt8]] { certificates.map { [UInt8]($0.der) } }

  /// The claims of the registration that the attestation proves.
  package let provenClaims: ProvenClaims

  /// The names of the claims that the statement's signature covers, directly or through a hash: `publicKey`,
  /// `credentialId`, `aaguid`, `rpIdHash`, `flags`, `signCount`, `extensions`, `clientDataHash`. The signer may not know
  /// whether they are true.
  public var signedClaims: [String] { provenClaims.signed.names }

  /// The names of the claims for which the anchor vouches; none unless the trust is anchored.
  public var vouchedClaims: [String] { provenClaims.vouched.names }

  /// The metadata entry of the authenticator's model; nil if the metadata do not contain the model.
  ///
  /// The entry is found by the AAGUID that the authenticator claims. If the trust is anchored, the entry supports the
  /// format of the statement, and describes the authenticator.
  public let metadata: MetadataBlob.Entry?

  /// The Android key store's description of the credential key; nil for other formats.
  package let androidKey: KeyDescription?

  /// The firmware version in the attestation certificate (id-fido-gen-ce-fw-version, §8.2.1); nil if it has none.
  public let firmwareVersion: UInt64?

  /// The serial number in the attestation certificate (id-fido-gen-ce-sernum, §8.2.2); nil outside of enterprise
  /// attestation. It identifies one device across relying parties: treat it as personal data.
  public let enterpriseSerialNumber: [UInt8]?

  /// The outcomes of a compound statement's valid members, as listed there. Type, trust, certificates and metadata are
  /// those of the member with the strongest trust; the proven claims are those of all members.
  public let members: [AttestationOutcome]

  /// The errors of a compound statement's invalid members.
  public let refusedMembers: [AttestationError]

  init(
    format: AttestationFormat, type: Kind, trust: Trust, provenClaims: ProvenClaims,
    certificates: [X509Certificate] = [],
    metadata: MetadataBlob.Entry? = nil, androidKey: KeyDescription? = nil, firmwareVersion: UInt64? = nil,
    enterpriseSerialNumber: [UInt8]? = nil,
    members: [AttestationOutcome] = [], refusedMembers: [AttestationError] = []
  ) {
    self.format = format
    self.type = type
    self.trust = trust
    self.provenClaims = provenClaims
    self.certificates = certificates
    self.metadata = metadata
    self.androidKey = androidKey
    self.firmwareVersion = firmwareVersion
    self.enterpriseSerialNumber = enterpriseSerialNumber
    self.members = members
    self.refusedMembers = refusedMembers
  }
}

extension AttestationOutcome {
  /// The attestation type (WebAuthn §6.5.4): the signer of the statement, if the statement is trusted.
  public enum Kind: String, Hashable, Sendable {
    /// No statement.
    case none
    /// The credential key signed its own statement.
    case `self`
    /// An attestation key that a batch of devices of one model shares.
    case basic
    /// An authority that identified the device by its endorsement key, as for TPMs.
    case attestationCA = "attca"
    /// An authority that certified this one credential of a device known to it.
    case anonymizationCA = "anonca"
    /// Another type, or several types at once.
    case unknown
  }
}
