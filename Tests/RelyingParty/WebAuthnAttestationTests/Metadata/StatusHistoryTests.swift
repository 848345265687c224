// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct StatusHistoryTests {
  private static func history(_ reports: String...) throws -> StatusHistory {
    let entry = "{\(MetadataForm.aaguid),\"statusReports\":[\(reports.joined(separator: ","))]}"
    return try #require(try MetadataForm(entry).verify().entries.first).statusHistory
  }

  private static func day(_ text: String) throws -> UnixTime { try UnixTime(rfc3339: text + "T00:00:00Z") }

  @Test func `reports are ordered by date`() throws {
    let history = try Self.history(
      MetadataForm.report("REVOKED", "2023-12-20"), MetadataForm.report("NOT_FIDO_CERTIFIED", "2023-11-07"),
      MetadataForm.report("UNHEARD_OF"))
    #expect(history.reports.map(\.status.rawValue) == ["UNHEARD_OF", "NOT_FIDO_CERTIFIED", "REVOKED"])
    #expect(history.current(at: try Self.day("2023-11-06"))?.status.rawValue == "UNHEARD_OF")
    #expect(history.current(at: try Self.day("2023-11-07"))?.status == .notFIDOCertified)
    #expect(history.current(at: try Self.day("2023-12-20"))?.status == .revoked)
    #expect(history.reports(at: try Self.day("2023-12-19")).count == 2)
  }

  @Test func `reports of one day keep the order of the metadata`() throws {
    let history = try Self.history(
      MetadataForm.report("B", "2024-05-01"), MetadataForm.report("A", "2024-05-01"), MetadataForm.report("D"),
      MetadataForm.report("C"))
    #expect(history.reports.map(\.status.rawValue) == ["D", "C", "B", "A"])
  }

  @Test func `only an update with a version corrects a firmware`() throws {
    for update in [
      MetadataForm.report("FIDO_CERTIFIED", "2024-06-01", ",\"authenticatorVersion\":5"),
      MetadataForm.report("UPDATE_AVAILABLE", "2024-06-01"),
    ] {
      let history = try Self.history(MetadataForm.report("USER_KEY_REMOTE_COMPROMISE", "2024-05-01"), update)
      #expect(
        history.report(of: AuthenticatorStatus.compromised, at: Moment.y2030, firmwareVersion: 9)?.status
          == .userKeyRemoteCompromise)
    }
  }

  @Test func `a report applies from its date on, and a later one does not end it`() throws {
    let history = try Self.history(
      MetadataForm.report("USER_VERIFICATION_BYPASS", "2024-05-01"), MetadataForm.report("FIDO_CERTIFIED", "2024-06-01")
    )
    let compromised = AuthenticatorStatus.compromised
    #expect(history.report(of: compromised, at: try Self.day("2024-04-30")) == nil)
    #expect(history.report(of: compromised, at: try Self.day("2024-05-01"))?.status == .userVerificationBypass)
    #expect(history.report(of: compromised, at: try Self.day("2025-01-01"))?.status == .userVerificationBypass)
    #expect(history.report(of: [.revoked], at: try Self.day("2025-01-01")) == nil)
  }

  @Test func `a correction applies to updated firmware only`() throws {
    let history = try Self.history(
      MetadataForm.report("USER_KEY_REMOTE_COMPROMISE", "2024-05-01"),
      MetadataForm.report("UPDATE_AVAILABLE", "2024-06-01", ",\"authenticatorVersion\":5"))
    let compromised = AuthenticatorStatus.compromised
    let (before, after) = (try Self.day("2024-05-31"), try Self.day("2024-06-01"))
    #expect(history.report(of: compromised, at: after)?.status == .userKeyRemoteCompromise)
    #expect(history.report(of: compromised, at: after, firmwareVersion: 4)?.status == .userKeyRemoteCompromise)
    #expect(history.report(of: compromised, at: after, firmwareVersion: 5) == nil)
    #expect(history.report(of: compromised, at: before, firmwareVersion: 5)?.status == .userKeyRemoteCompromise)
    let revoked = try Self.history(
      MetadataForm.report("REVOKED", "2024-05-01"),
      MetadataForm.report("UPDATE_AVAILABLE", "2024-06-01", ",\"authenticatorVersion\":5"))
    #expect(revoked.report(of: [.revoked], at: after, firmwareVersion: 6)?.status == .revoked)
  }

  @Test func `an update released before the report does not help`() throws {
    let history = try Self.history(
      MetadataForm.report("UPDATE_AVAILABLE", "2024-04-01", ",\"authenticatorVersion\":5"),
      MetadataForm.report("USER_KEY_PHYSICAL_COMPROMISE", "2024-05-01"))
    #expect(
      history.report(of: AuthenticatorStatus.compromised, at: Moment.y2030, firmwareVersion: 9)?.status
        == .userKeyPhysicalCompromise)
  }

  @Test(arguments: ["certificate", "batchCertificate"])
  func `a report about one certificate applies to its users`(_ name: String) throws {
    let (root, other) = (try TestAuthority.root().certificate, try TestAuthority.root("Other").certificate)
    let history = try Self.history(
      MetadataForm.report("ATTESTATION_KEY_COMPROMISE", "2024-05-01", ",\"\(name)\":\"\(Base64.encode(root.der))\""))
    func report(_ certificates: [X509Certificate]) -> StatusReport? {
      history.report(of: AuthenticatorStatus.compromised, at: Moment.y2030, certificates: certificates)
    }
    #expect(report([other]) == nil)
    #expect(report([other, root])?.certificate == root)
  }

  @Test func `a report with an unreadable date, certificate or version applies without that restriction`() throws {
    let history = try Self.history(
      MetadataForm.report("REVOKED", "soon", ",\"certificate\":\"MAA=\",\"authenticatorVersion\":-1"))
    let report = try #require(history.report(of: [.revoked], at: Moment.y2020))
    #expect(report.effectiveDate == nil)
    #expect(report.certificate == nil)
    #expect(report.authenticatorVersion == nil)
  }
}
