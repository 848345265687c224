// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a metadata service knows of a model of authenticators (FIDO Metadata Service 3.0 §3.1.1).
public struct MetadataEntry: Sendable {
  /// The model of a FIDO2 authenticator.
  public let aaguid: AAGUID?

  /// The model of a UAF authenticator.
  public let aaid: String?

  /// The names of the keys in the attestation certificates of a U2F authenticator, or of their authorities: 20 bytes each.
  public let certificateKeyIdentifiers: [[UInt8]]

  /// What its maker says about it; nil where that is not published.
  public let statement: MetadataStatement?

  /// What was reported of it.
  public let statusHistory: StatusHistory

  /// The hash of the list of individual authenticators that are not to be trusted; nil where there is no list.
  public let rogueListHash: [UInt8]?

  /// The whole entry, with everything that is not understood here.
  public let json: JSONValue

  init(_ json: JSONValue, _ certificates: inout MetadataCertificates) throws(AttestationError) {
    let aaguid: String?
    do throws(WireError) {
      aaguid = try json["aaguid"]?.unlessNull?.string
      aaid = try json["aaid"]?.unlessNull?.string
      var identifiers: [[UInt8]] = []
      if let list = try json["attestationCertificateKeyIdentifiers"]?.unlessNull {
        for item in try list.array { identifiers.append(try Hex.decode(item.utf8)) }
      }
      certificateKeyIdentifiers = identifiers
      statement = try json["metadataStatement"]?.unlessNull.map { (json) throws(WireError) in
        try MetadataStatement(json, &certificates)
      }
      rogueListHash = (try? json["rogueListHash"]?.unlessNull?.base64URL).flatMap { $0 }
      var reports: [StatusReport] = []
      for item in try json.require("statusReports").array { reports.append(try StatusReport(item)) }
      statusHistory = StatusHistory(reports)
    } catch {
      throw AttestationError(.metadataMalformedEntry, error)
    }
    self.aaguid = try aaguid.map { (text) throws(AttestationError) in
      guard let aaguid = AAGUID(uuid: text) else {
        throw AttestationError(.metadataMalformedEntry, "aaguid \(text)")
      }
      return aaguid
    }
    guard aaguid != nil || aaid != nil || !certificateKeyIdentifiers.isEmpty else {
      throw AttestationError(.metadataMalformedEntry, "of no authenticator")
    }
    self.json = json
  }
}
