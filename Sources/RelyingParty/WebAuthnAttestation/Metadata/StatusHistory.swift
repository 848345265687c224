// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// The status reports about an authenticator model, in the order in which they take effect.
///
/// The real BLOB does not order reports, so they are sorted by date. Reports without a date come first.
package struct StatusHistory: Sendable {
  /// The reports, the earliest first.
  package let reports: [StatusReport]

  init(_ reports: [StatusReport]) {
    let numbered = reports.enumerated().sorted { left, right in
      let dates = (left.element.effectiveDate ?? .beginning, right.element.effectiveDate ?? .beginning)
      return dates.0 == dates.1 ? left.offset < right.offset : dates.0 < dates.1
    }
    self.reports = numbered.map(\.element)
  }

  /// Returns the reports that are in effect at a time.
  package func reports(at time: UnixTime) -> [StatusReport] {
    reports.filter { $0.isInEffect(at: time) }
  }

  /// Returns the latest report at a time.
  package func current(at time: UnixTime) -> StatusReport? {
    reports.last { $0.isInEffect(at: time) }
  }

  /// Returns the latest report with one of these statuses that still applies at a time.
  ///
  /// A later report with another status does not end a status: a certification does not fix a vulnerability that was
  /// found before. A status ends for an authenticator whose firmware version is known to contain the fix. A revocation
  /// never ends, nor does the compromise of an attestation key: who has the key can attest any firmware version.
  ///
  /// A report about one certificate applies if one of `certificates` has the same public key. Pass the certificates of
  /// the statement and of its path: the reported certificate may be the anchor, which statements omit.
  package func report(
    of statuses: Set<AuthenticatorStatus>, at time: UnixTime, firmwareVersion: UInt64? = nil,
    certificates: [X509Certificate] = []
  ) -> StatusReport? {
    let inEffect = reports(at: time)
    return inEffect.indices.last { index in
      let report = inEffect[index]
      guard statuses.contains(report.status) else { return false }
      if let reported = report.certificate?.subjectPublicKeyInfo,
        !certificates.contains(where: { $0.subjectPublicKeyInfo == reported })
      {
        return false
      }
      return !Self.isCorrected(report, in: firmwareVersion, by: inEffect[index...])
    }.map { inEffect[$0] }
  }

  private static func isCorrected(
    _ report: StatusReport, in firmwareVersion: UInt64?, by later: ArraySlice<StatusReport>
  ) -> Bool {
    guard report.status != .revoked, report.status != .attestationKeyCompromise, let firmwareVersion
    else { return false }
    return later.contains { update in
      update.status == .updateAvailable && (update.authenticatorVersion.map { $0 <= firmwareVersion } ?? false)
    }
  }
}

extension StatusReport {
  fileprivate func isInEffect(at time: UnixTime) -> Bool {
    effectiveDate.map { $0 <= time } ?? true
  }
}

extension UnixTime {
  fileprivate static let beginning = UnixTime(secondsSince1970: .min)
}
