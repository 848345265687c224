// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The entries of a BLOB about one model. Several entries may name one key identifier, and some entries are unreadable: only the
/// first readable one vouches for the model, but the status reports of all count.
struct MetadataListing {
  var entries: [MetadataBlob.Entry] = []
  var refused: [RefusedMetadataEntry] = []

  /// The entry that vouches for the model.
  var entry: MetadataBlob.Entry? { entries.first }

  /// Whether the BLOB lists the model, but nothing in it can vouch for the model.
  var isUnreadable: Bool { entries.isEmpty && !refused.isEmpty }

  var isEmpty: Bool { entries.isEmpty && refused.isEmpty }

  var statusHistories: [StatusHistory] { entries.map(\.statusHistory) + refused.map(\.statusHistory) }
}

/// The places of a BLOB's entries by model.
struct MetadataIndex: Sendable {
  struct Places: Sendable {
    var entries: [Int] = []
    var refused: [Int] = []
  }

  private(set) var byAAGUID: [AAGUID: Places] = [:]
  private(set) var byKeyIdentifier: [Bytes: Places] = [:]

  /// The FIDO2 models for which a key vouches in packed attestations, by its encoding: authorities reissue certificates of
  /// one key. A model that cannot be read is nil.
  private(set) var modelsByKey: [Bytes: Set<AAGUID?>] = [:]

  /// The reports about a compromised key, by the key. Who has it can claim any model.
  private(set) var reportsByKey: [Bytes: [StatusReport]] = [:]

  init(_ entries: [MetadataBlob.Entry], _ refused: [RefusedMetadataEntry]) {
    for (place, entry) in entries.enumerated() {
      if let aaguid = entry.aaguid { byAAGUID[aaguid, default: Places()].entries.append(place) }
      for identifier in entry.certificateKeyIdentifiers {
        byKeyIdentifier[identifier[...], default: Places()].entries.append(place)
      }
      guard let aaguid = entry.aaguid, let statement = entry.statement, entry.attestationFormats.contains(.packed)
      else { continue }
      for anchor in statement.trustStore.anchors { add(aaguid, anchoredBy: anchor) }
    }
    for (place, entry) in refused.enumerated() {
      if let aaguid = entry.aaguid { byAAGUID[aaguid, default: Places()].refused.append(place) }
      for identifier in entry.certificateKeyIdentifiers {
        byKeyIdentifier[identifier[...], default: Places()].refused.append(place)
      }
      for anchor in entry.anchors { add(entry.aaguid, anchoredBy: anchor) }
    }
    for report in entries.flatMap(\.statusHistory.reports) + refused.flatMap(\.statusHistory.reports) {
      guard report.status == .attestationKeyCompromise, let key = report.certificate?.subjectPublicKeyInfo.encoded
      else {
        continue
      }
      reportsByKey[key, default: []].append(report)
    }
  }

  private mutating func add(_ model: AAGUID?, anchoredBy anchor: X509Certificate) {
    modelsByKey[anchor.subjectPublicKeyInfo.encoded, default: []].insert(model)
  }
}
