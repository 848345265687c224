// SPDX-License-Identifier: Apache-2.0

extension AttestationPolicy {
  /// The trust levels of attestations that a policy accepts (WebAuthn §7.1 step 24).
  public struct AcceptableTrust: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// No attestation.
    public static let noAttestation = Self(rawValue: 1 << 0)
    /// An attestation by the credential key itself.
    public static let selfAttestation = Self(rawValue: 1 << 1)
    /// An attestation by a certificate without a path to an anchor.
    public static let unanchored = Self(rawValue: 1 << 2)
    /// An attestation with a path to an anchor. It is always accepted; a set of only this refuses everything else.
    public static let anchored = Self(rawValue: 1 << 3)

    /// All of them: the outcome only records the trust.
    public static let anything: Self = [.noAttestation, .selfAttestation, .unanchored, .anchored]
  }
}

extension AttestationPolicy.AcceptableTrust {
  /// Verifies that the set accepts an attestation with this trust.
  package func require(_ trust: AttestationOutcome.Trust) throws(AttestationError) {
    switch trust {
    case .none:
      guard contains(.noAttestation) else { throw AttestationError(.noneNotAcceptable) }
    case .self:
      guard contains(.selfAttestation) else { throw AttestationError(.selfNotAcceptable) }
    case .anchored:
      return
    case .unanchored(let reason):
      guard contains(.unanchored) else {
        guard case .pathRefused(let error) = reason else {
          throw AttestationError(.unanchoredNotAcceptable, "\(reason)")
        }
        throw AttestationError(.unanchoredNotAcceptable, error)
      }
    }
  }
}
