// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension MetadataBlob {
  /// The FIDO certification level of a model (FIDO Metadata Service 3.0 §3.1.4), from the weakest.
  public enum CertificationLevel: Int, Comparable, Sendable, CaseIterable {
    /// Level 1, under its own name or as `FIDO_CERTIFIED`, the name before levels were introduced.
    case level1
    /// Level 1+.
    case level1Plus
    /// Level 2.
    case level2
    /// Level 2+.
    case level2Plus
    /// Level 3.
    case level3
    /// Level 3+.
    case level3Plus

    /// The level that a status stands for; nil if the status is not a certification.
    init?(_ status: AuthenticatorStatus) {
      switch status.rawValue {
      case "FIDO_CERTIFIED", "FIDO_CERTIFIED_L1": self = .level1
      case "FIDO_CERTIFIED_L1plus": self = .level1Plus
      case "FIDO_CERTIFIED_L2": self = .level2
      case "FIDO_CERTIFIED_L2plus": self = .level2Plus
      case "FIDO_CERTIFIED_L3": self = .level3
      case "FIDO_CERTIFIED_L3plus": self = .level3Plus
      default: return nil
      }
    }

    /// Whether the left level is weaker.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}

extension MetadataBlob.CertificationLevel: CustomStringConvertible {
  /// The name of the level in metadata: `L1`, `L1plus` and so on.
  public var description: String { "L\(rawValue / 2 + 1)\(rawValue.isMultiple(of: 2) ? "" : "plus")" }
}

extension StatusHistory {
  /// Returns the highest certification in effect at a time.
  ///
  /// A later report that the model is not certified, or revoked, ends a certification. A certification applies from the
  /// firmware version that it states; if the authenticator's version is unknown, it applies.
  package func certificationLevel(
    at time: UnixTime, firmwareVersion: UInt64? = nil
  ) -> MetadataBlob.CertificationLevel? {
    let inEffect = reports(at: time)
    let end = inEffect.lastIndex { [.notFIDOCertified, .revoked].contains($0.status) }
    return inEffect[(end ?? 0)...].filter { report in
      guard let firmwareVersion, let lowest = report.authenticatorVersion else { return true }
      return lowest <= firmwareVersion
    }.compactMap { MetadataBlob.CertificationLevel($0.status) }.max()
  }
}
