// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// A status change of an authenticator model, and its date (FIDO Metadata Service 3.0 §3.1.3).
package struct StatusReport: Sendable {
  /// The new status.
  package let status: AuthenticatorStatus

  /// The day on which the status takes effect, as its start in UTC; nil, if not stated, means always.
  package let effectiveDate: UnixTime?

  /// The firmware version to which the report applies.
  package let authenticatorVersion: UInt64?

  /// The attestation certificate, or its issuing authority, to which the report applies; nil means all.
  package let certificate: X509Certificate?

  /// The whole report, including members that this type does not model.
  package let json: JSONValue

  /// Parses a report. An unreadable date or certificate counts as absent: the report then applies more widely, not
  /// less.
  init(_ json: JSONValue) throws(WireError) {
    status = AuthenticatorStatus(rawValue: try json.require("status").string)
    effectiveDate = (try? json["effectiveDate"]?.unlessNull?.string).flatMap { $0 }.flatMap { .init(metadataDate: $0) }
    authenticatorVersion = (try? json["authenticatorVersion"]?.unlessNull?.uint64).flatMap { $0 }
    // The first name is from version 3.0, the second from 3.1.
    var member = try json["certificate"]
    if member == nil { member = try json["batchCertificate"] }
    let der = (try? member?.unlessNull?.utf8).flatMap { $0 }
    certificate = der.flatMap { try? Base64.decodeLeniently($0) }.flatMap { try? X509Certificate(der: $0) }
    self.json = json
  }
}

extension UnixTime {
  /// Parses a date of metadata, such as 2024-12-27, as the start of that day in UTC.
  init?(metadataDate text: String) {
    guard text.utf8.count == 10, let day = try? UnixTime(rfc3339: text + "T00:00:00Z") else { return nil }
    self = day
  }
}
