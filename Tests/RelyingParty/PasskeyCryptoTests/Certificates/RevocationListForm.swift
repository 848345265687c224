// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A builder of revocation lists. Tests can modify every part before it is signed.
struct RevocationListForm {
  var version: Int64? = 1
  var issuer: [UInt8]
  var thisUpdate = Moment.y2020
  var nextUpdate: UnixTime? = Moment.y2040
  var entries: [(serialNumber: [UInt8], date: UnixTime, extensions: [[UInt8]])] = []
  var extensions: [[UInt8]] = []
  var scheme = SignatureForm.ecdsaWithSHA256
  var innerAlgorithm: [UInt8]?

  init(of issuer: String) {
    self.issuer = CertificateForm.name(issuer)
  }

  mutating func revoke(_ serialNumber: [UInt8], reason: Int64? = nil) {
    let extensions =
      reason.map { reason in [CertificatePart.extension([2, 5, 29, 21]) { $0.writeEnumerated(reason) }] } ?? []
    entries.append((serialNumber, Moment.y2020, extensions))
  }

  /// The DER of the signed list.
  func signed(by key: SigningKey) throws -> [UInt8] {
    var content = DERWriter()
    try content.writeSequence {
      if let version { $0.writeInteger(version) }
      $0.write(encoded: innerAlgorithm ?? scheme.identifier)
      $0.write(encoded: issuer)
      try $0.writeTime(thisUpdate)
      if let nextUpdate { try $0.writeTime(nextUpdate) }
      if !entries.isEmpty { try $0.writeSequence { for entry in entries { try write(entry, to: &$0) } } }
      guard !extensions.isEmpty else { return }
      $0.writeExplicit(0) { $0.writeSequence { for each in extensions { $0.write(encoded: each) } } }
    }
    return try scheme.frame(content.bytes, signedBy: key)
  }

  private func write(
    _ entry: (serialNumber: [UInt8], date: UnixTime, extensions: [[UInt8]]), to writer: inout DERWriter
  ) throws {
    try writer.writeSequence {
      $0.writeInteger(twosComplement: entry.serialNumber)
      try $0.writeTime(entry.date)
      guard !entry.extensions.isEmpty else { return }
      $0.writeSequence { for each in entry.extensions { $0.write(encoded: each) } }
    }
  }
}
