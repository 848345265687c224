// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// What an attestation statement turned out to say. Only AttestationVerifier makes one.
///
/// It is a value and not a verdict: how much it is worth stands in trust, and nowhere is there a word such as
/// "verified" that would hold without an anchor as well.
public struct AttestationOutcome: Sendable {
  /// The format of the statement.
  public let format: AttestationFormat

  /// What it would be proof of.
  public let type: AttestationType

  /// Whom one must believe to believe it.
  public let trust: AttestationTrust

  /// The certificates that came with it, the attestation's own first. Those behind it are candidates only.
  public let certificates: [Certificate]

  /// The claims of the registration that the attestation proves.
  public let provenClaims: ProvenClaims

  /// The metadata entry of the authenticator's model; nil if there is none.
  ///
  /// The entry is found by the AAGUID that the authenticator claims. If the trust is anchored, the entry's own
  /// certificates vouch for the format, and the entry describes the authenticator.
  public let metadata: MetadataEntry?

  /// The description of the credential key by Android's key store; nil for other formats.
  public let androidKey: KeyDescription?

  /// The firmware version in the attestation certificate (id-fido-gen-ce-fw-version, §8.2.1); nil if it has none.
  public let firmwareVersion: UInt64?

  /// The device's serial number in the attestation certificate (id-fido-gen-ce-sernum, §8.2.2); nil outside of enterprise
  /// attestation. It identifies one device across relying parties: treat it as personal data.
  public let enterpriseSerialNumber: Bytes?

  /// The outcomes of a compound statement's valid members, in their order. Type, trust, certificates and metadata are
  /// then those of the member whose trust is the strongest; the proven claims are those of all members.
  public let members: [AttestationOutcome]

  /// Why the other members of a compound statement do not hold.
  public let refusedMembers: [AttestationError]

  init(
    format: AttestationFormat, type: AttestationType, trust: AttestationTrust, provenClaims: ProvenClaims,
    certificates: [Certificate] = [],
    metadata: MetadataEntry? = nil, androidKey: KeyDescription? = nil, firmwareVersion: UInt64? = nil,
    enterpriseSerialNumber: Bytes? = nil,
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
