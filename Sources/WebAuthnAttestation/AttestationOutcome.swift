// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

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

  /// What the metadata say about the model of authenticator; nil where there are none, or none about it.
  ///
  /// The entry is found by what the authenticator claims to be. It describes the authenticator if the trust is anchored.
  public let metadata: MetadataEntry?

  /// The outcomes of a compound statement's members that hold, in their order. Type, trust, certificates and metadata
  /// are then those of the member whose trust is the strongest.
  public let members: [AttestationOutcome]

  /// Why the other members of a compound statement do not hold.
  public let refusedMembers: [AttestationError]

  init(
    format: AttestationFormat, type: AttestationType, trust: AttestationTrust, certificates: [Certificate] = [],
    metadata: MetadataEntry? = nil, members: [AttestationOutcome] = [], refusedMembers: [AttestationError] = []
  ) {
    self.format = format
    self.type = type
    self.trust = trust
    self.certificates = certificates
    self.metadata = metadata
    self.members = members
    self.refusedMembers = refusedMembers
  }
}
