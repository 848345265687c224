// SPDX-License-Identifier: Apache-2.0

/// How well an attestation must be anchored to be accepted (WebAuthn §7.1 step 24).
public struct AcceptableTrust: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Takes bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No attestation.
  public static let noAttestation = Self(rawValue: 1 << 0)
  /// An attestation by the credential key itself.
  public static let selfAttestation = Self(rawValue: 1 << 1)
  /// An attestation by somebody whom no anchor vouches for.
  public static let unanchored = Self(rawValue: 1 << 2)
  /// An attestation that an anchor vouches for. It is always accepted: alone, this says that nothing else is.
  public static let anchored = Self(rawValue: 1 << 3)

  /// All of them: the outcome is for the record.
  public static let anything: Self = [.noAttestation, .selfAttestation, .unanchored, .anchored]
}

extension AcceptableTrust {
  /// Demands that an attestation which is anchored so is accepted.
  package func require(_ trust: AttestationTrust) throws(AttestationError) {
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
