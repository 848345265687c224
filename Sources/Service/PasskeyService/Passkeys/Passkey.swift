// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnAttestation
public import WebAuthnTypes

/// A credential of an account: the standard's credential record, with metadata for users and administrators.
public struct Passkey: Hashable, Sendable {
  /// The owner's account.
  public var user: UserHandle

  /// The credential record that the standard defines.
  public var record: CredentialRecord

  /// The name that the owner gave it.
  public var name: Name

  /// The authenticator model, as the authenticator reports it.
  public var aaguid: AAGUID

  /// The summary of the attestation.
  public var attestation: AttestationSummary

  /// The time of registration.
  public var created: UnixTime

  /// The time of the last sign-in or confirmation.
  public var lastUsed: UnixTime?

  /// The last time that the signature counter did not increase, which suggests a cloned authenticator.
  package var cloneSignal: UnixTime?

  /// The last time that the backup eligibility changed.
  package var backupSignal: UnixTime?

  /// Whether the passkey is disabled. Its owner can still delete it.
  public var isDisabled: Bool

  /// The revision number for compare-and-set. It increases when the signature counter, the backup state or
  /// ``isDisabled`` changes, and at no other time.
  package var revision: Int64

  /// Creates a passkey from its stored fields.
  package init(
    user: UserHandle, record: CredentialRecord, name: Name, aaguid: AAGUID, attestation: AttestationSummary,
    created: UnixTime, lastUsed: UnixTime? = nil, cloneSignal: UnixTime? = nil, backupSignal: UnixTime? = nil,
    isDisabled: Bool = false, revision: Int64 = 1
  ) {
    self.user = user
    self.record = record
    self.name = name
    self.aaguid = aaguid
    self.attestation = attestation
    self.created = created
    self.lastUsed = lastUsed
    self.cloneSignal = cloneSignal
    self.backupSignal = backupSignal
    self.isDisabled = isDisabled
    self.revision = revision
  }

  /// Whether the passkey can confirm an action: it is enabled, and its user verification counts as a factor
  /// (WebAuthn §4, `uvInitialized`).
  package var canConfirm: Bool { !isDisabled && record.uvInitialized }
}

extension Passkey {
  /// A summary of a passkey's attestation, to store and to display.
  public struct AttestationSummary: Hashable, Sendable {
    /// The basis of trust in the attestation.
    public enum Trust: String, Hashable, Sendable, CaseIterable {
      /// There is no attestation.
      case none
      /// Self attestation: the credential's own key signed the statement.
      case `self`
      /// A configured trust anchor vouches for the statement.
      case anchored
      /// No trust anchor vouches for the statement, so anyone could have made it.
      case unanchored
    }

    /// The attestation statement format.
    public var format: AttestationFormat

    /// The attestation type, as named by the standard (WebAuthn §6.5.4).
    public var type: String

    /// The basis of trust.
    public var trust: Trust

    /// The subject of the anchor, or the reason why the attestation is unanchored.
    public var reason: String?

    /// Creates a summary from its stored fields.
    package init(format: AttestationFormat, type: String, trust: Trust, reason: String? = nil) {
      self.format = format
      self.type = type
      self.trust = trust
      self.reason = reason
    }

    init(_ outcome: AttestationOutcome) {
      format = outcome.format
      type = outcome.type.rawValue
      (trust, reason) =
        switch outcome.trust {
        case .none: (.none, nil)
        case .self: (.self, nil)
        case .anchored(let root, _): (.anchored, "\(root.subject)")
        case .unanchored(let reason): (.unanchored, "\(reason)")
        }
    }
  }
}
