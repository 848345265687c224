// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

extension MetadataBlob {
  /// The entry of a metadata service for one authenticator model (FIDO Metadata Service 3.0 §3.1.1).
  public struct Entry: Sendable {
    /// The AAGUID of a FIDO2 model.
    package let aaguid: AAGUID?

    /// The AAID of a UAF model.
    package let aaid: String?

    /// The key identifiers of a U2F model's attestation certificates, or of their issuing authorities: 20 bytes each.
    package let certificateKeyIdentifiers: [[UInt8]]

    /// The English name of the model; nil if it is not published.
    public var description: String? { statement?.description }

    /// The icon of the model, as a data: URL; nil if it is not published.
    public var icon: String? { statement?.icon }

    /// The vendor's statement about the model; nil if it is not published.
    package let statement: MetadataStatement?

    /// The status reports about the model.
    package let statusHistory: StatusHistory

    /// The hash of the list of individual compromised authenticators; nil if there is no list.
    package let rogueListHash: [UInt8]?

    /// The whole entry, including members that this type does not model.
    package let json: JSONValue

    init(_ json: JSONValue, _ certificates: inout MetadataCertificates) throws(AttestationError) {
      aaguid = try json.aaguid
      do throws(WireError) {
        aaid = try json["aaid"]?.unlessNull?.string
        certificateKeyIdentifiers = try json.certificateKeyIdentifiers
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
      guard aaguid != nil || aaid != nil || !certificateKeyIdentifiers.isEmpty else {
        throw AttestationError(.metadataMalformedEntry, "no authenticator identifier")
      }
      self.json = json
    }
  }
}

/// An entry that could not be read, or that repeats the AAGUID of an earlier one. It vouches for nothing, and the other
/// entries are not affected. What it says against its model still counts: the readable status reports do.
package struct RefusedMetadataEntry: Sendable {
  /// The index of the entry, from 0.
  package let index: Int

  /// The reason.
  package let error: AttestationError

  /// The AAGUID of a FIDO2 model, if it is readable.
  package let aaguid: AAGUID?

  /// The readable status reports about the model.
  package let statusHistory: StatusHistory

  let certificateKeyIdentifiers: [[UInt8]]

  /// The readable anchors. They vouch for nothing, but may be those of another entry too.
  let anchors: [X509Certificate]

  init(_ json: JSONValue, at index: Int, _ error: AttestationError, _ certificates: inout MetadataCertificates) {
    self.index = index
    self.error = error
    let statement = (try? json["metadataStatement"]?.unlessNull).flatMap { $0 }
    aaguid = (try? json.aaguid).flatMap { $0 } ?? (try? statement?.aaguid).flatMap { $0 }
    var anchors: [X509Certificate] = []
    for item in statement?.elements("attestationRootCertificates") ?? [] {
      anchors += (try? item.utf8).flatMap { certificates.certificates(in: $0) } ?? []
    }
    self.anchors = anchors
    certificateKeyIdentifiers = json.elements("attestationCertificateKeyIdentifiers")
      .compactMap { try? Hex.decode($0.utf8) }
    statusHistory = StatusHistory(json.elements("statusReports").compactMap { try? StatusReport($0) })
  }
}

extension JSONValue {
  fileprivate var aaguid: AAGUID? {
    get throws(AttestationError) {
      let text = try mapError(self["aaguid"]?.unlessNull?.string) { (error: WireError) in
        AttestationError(.metadataMalformedEntry, error)
      }
      return try text.map { (text) throws(AttestationError) in
        guard let aaguid = AAGUID(uuid: text) else { throw AttestationError(.metadataMalformedEntry, "aaguid \(text)") }
        return aaguid
      }
    }
  }

  fileprivate var certificateKeyIdentifiers: [[UInt8]] {
    get throws(WireError) {
      guard let list = try self["attestationCertificateKeyIdentifiers"]?.unlessNull else { return [] }
      return try list.array.map { (item) throws(WireError) in try Hex.decode(item.utf8) }
    }
  }

  fileprivate func elements(_ name: String) -> [JSONValue] {
    (try? self[name]?.unlessNull?.array).flatMap { $0 }.map { Array($0) } ?? []
  }
}
