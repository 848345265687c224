// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// The entry of a metadata service for one authenticator model (FIDO Metadata Service 3.0 §3.1.1).
public struct MetadataEntry: Sendable {
  /// The AAGUID of a FIDO2 model.
  public let aaguid: AAGUID?

  /// The AAID of a UAF model.
  public let aaid: String?

  /// The key identifiers of a U2F model's attestation certificates, or of their issuing authorities: 20 bytes each.
  public let certificateKeyIdentifiers: [[UInt8]]

  /// The vendor's statement about the model; nil if it is not published.
  public let statement: MetadataStatement?

  /// The status reports about the model.
  public let statusHistory: StatusHistory

  /// The hash of the list of individual compromised authenticators; nil if there is no list.
  public let rogueListHash: [UInt8]?

  /// The whole entry, including members that this type does not model.
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
      throw AttestationError(.metadataMalformedEntry, "no authenticator identifier")
    }
    self.json = json
  }
}
