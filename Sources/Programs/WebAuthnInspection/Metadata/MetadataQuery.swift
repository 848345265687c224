// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import WebAuthnAttestation
package import WebAuthnTypes

/// A search in metadata: by model identifier, certificate key identifier or words.
package enum MetadataQuery {
  case aaguid(AAGUID)
  case keyIdentifier([UInt8])
  case words(String)

  // SHA-1 of the key [FIDO Metadata Service 3.0 §3.1.1]
  private static let keyIdentifierByteCount = 20

  /// Detects the kind of query. Certificate viewers write key identifiers with colons.
  package init(_ text: String) {
    let digits = try? Hex.decode(text.filter { $0 != ":" })
    if let aaguid = AAGUID(uuid: text) {
      self = .aaguid(aaguid)
    } else if let digits, digits.count == Self.keyIdentifierByteCount {
      self = .keyIdentifier(digits)
    } else if let aaguid = digits.flatMap({ AAGUID($0) }) {
      self = .aaguid(aaguid)
    } else {
      self = .words(text)
    }
  }

  /// Returns the matching entries, in the order of the metadata.
  package func entries(in blob: MetadataBlob) -> [MetadataBlob.Entry] {
    switch self {
    case .aaguid(let aaguid): blob[aaguid].map { [$0] } ?? []
    case .keyIdentifier(let identifier): blob.entry(certificateKeyIdentifier: identifier).map { [$0] } ?? []
    case .words(let text):
      blob.entries.filter { entry in
        let name = "\(entry.statement?.description ?? "") \(entry.aaid ?? "")".lowercased()
        return text.lowercased().split(separator: " ").allSatisfy { name.contains($0) }
      }
    }
  }
}
