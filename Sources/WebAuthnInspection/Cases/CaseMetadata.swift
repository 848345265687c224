// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation
internal import WireFormats

/// The member `metadata` of a case: a BLOB of the FIDO Metadata Service's form, and who may sign it.
struct CaseMetadata {
  let blob: [UInt8]
  let trustAnchors: [[UInt8]]

  init(_ value: JSONValue) throws(WireError) {
    blob = [UInt8](try value.require("blob").utf8)
    trustAnchors = try value.require("trustAnchors").byteStrings
  }

  func verified(at time: Timestamp) throws -> MetadataBlob {
    let anchors = try trustAnchors.map { (anchor) throws in try Certificate(der: anchor[...]) }
    return try MetadataBlob(
      verifying: blob[...], signedBy: MetadataSigner(anchors: anchors, hostName: nil), at: time)
  }
}
