// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// What happened to an authenticator's model, and when (FIDO Metadata Service 3.0 §3.1.3).
public struct StatusReport: Sendable {
  /// The state that it is in since then.
  public let status: AuthenticatorStatus

  /// The day from which on that holds, at its beginning in UTC; nil where none is told, which counts as always.
  public let effectiveDate: Timestamp?

  /// The version of the firmware that the report is about.
  public let authenticatorVersion: UInt64?

  /// The one attestation certificate, or its authority, that the report is about; nil where it is about all.
  public let certificate: Certificate?

  /// The whole report, with everything that is not understood here.
  public let json: JSONValue

  /// A date or a certificate that cannot be read is as good as none: the report then holds for more, never for less.
  init(_ json: JSONValue) throws(WireError) {
    status = AuthenticatorStatus(rawValue: try json.require("status").string)
    effectiveDate = (try? json["effectiveDate"]?.unlessNull?.string).flatMap { $0 }.flatMap { .init(metadataDate: $0) }
    authenticatorVersion = (try? json["authenticatorVersion"]?.unlessNull?.uint64).flatMap { $0 }
    // The one name is version 3.0's, the other 3.1's.
    var member = try json["certificate"]
    if member == nil { member = try json["batchCertificate"] }
    let der = try member?.unlessNull?.utf8
    certificate = der.flatMap { try? Base64.decodeLeniently($0) }.flatMap { try? Certificate(der: $0[...]) }
    self.json = json
  }
}

extension Timestamp {
  /// Reads a day as metadata write it, 2024-12-27: its first moment.
  init?(metadataDate text: String) {
    guard text.utf8.count == 10, let day = try? Timestamp(rfc3339: text + "T00:00:00Z") else { return nil }
    self = day
  }
}
