// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// BasicConstraints ::= SEQUENCE {                                                              (RFC 5280 §4.2.1.9)
//   cA                BOOLEAN DEFAULT FALSE,
//   pathLenConstraint INTEGER (0..MAX) OPTIONAL }

/// Whether a subject may issue certificates, and how many authorities may stand between it and a leaf.
public struct BasicConstraints: Hashable, Sendable {
  /// Whether it may issue certificates.
  public let isAuthority: Bool

  /// How many authorities may follow it; nil is any number.
  public let pathLength: Int?

  init(of extension: CertificateExtension) throws(WireError) {
    (isAuthority, pathLength) = try DERReader.parse(`extension`.value) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        let isAuthority = try reader.readOptional(.boolean) { (reader) throws(WireError) in
          try reader.readLenientBoolean()
        }
        let pathLength = try reader.readOptional(.integer) { (reader) throws(WireError) in try reader.readUInt64() }
        return (isAuthority ?? false, pathLength.map(Int.init(clamping:)))
      }
    }
  }
}
