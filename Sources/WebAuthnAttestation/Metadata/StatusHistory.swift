// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// Everything that was reported of an authenticator's model, in the order in which it came to hold.
///
/// The real BLOB lists reports in any order, so the dates decide; what has no date stands at the beginning.
public struct StatusHistory: Sendable {
  /// The reports, the earliest first.
  public let reports: [StatusReport]

  init(_ reports: [StatusReport]) {
    let numbered = reports.enumerated().sorted { left, right in
      let dates = (left.element.effectiveDate ?? .beginning, right.element.effectiveDate ?? .beginning)
      return dates.0 == dates.1 ? left.offset < right.offset : dates.0 < dates.1
    }
    self.reports = numbered.map(\.element)
  }

  /// The reports that hold at a moment: those that have come into effect.
  public func reports(at time: Timestamp) -> [StatusReport] {
    reports.filter { $0.isInEffect(at: time) }
  }

  /// The latest report at a moment.
  public func current(at time: Timestamp) -> StatusReport? {
    reports.last { $0.isInEffect(at: time) }
  }

  /// The latest report of one of these states that still holds at a moment.
  ///
  /// A state does not end because something else is reported later: a certificate says nothing about a hole that was
  /// found before it. It ends for an authenticator whose firmware is known to have the correction. A revocation does not end.
  ///
  /// A report about one certificate holds where one of `certificates` has the same public key. Pass the statement's
  /// certificates and those of its path: the reported certificate may be the anchor, which statements leave out.
  public func report(
    of statuses: Set<AuthenticatorStatus>, at time: Timestamp, firmwareVersion: UInt64? = nil,
    certificates: [Certificate] = []
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
    guard report.status != .revoked, let firmwareVersion else { return false }
    return later.contains { update in
      update.status == .updateAvailable && (update.authenticatorVersion.map { $0 <= firmwareVersion } ?? false)
    }
  }
}

extension StatusReport {
  fileprivate func isInEffect(at time: Timestamp) -> Bool {
    effectiveDate.map { $0 <= time } ?? true
  }
}

extension Timestamp {
  fileprivate static let beginning = Timestamp(secondsSince1970: .min)
}
