// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport

/// A builder for Android key descriptions. Tests may change every part before it is encoded.
struct KeyDescriptionForm {
  var attestationLevel: Int64 = 1
  var keyLevel: Int64 = 1
  var challenge: [UInt8]
  var uniqueID: Bytes = []
  var software = List.empty
  var hardware = List()

  init(for ceremony: CeremonyForm) {
    challenge = ceremony.clientDataHash
  }

  /// A list of properties.
  struct List {
    var purposes: [Int64]? = [2]
    var origin: Int64? = 0
    var allApplications = false
    var isTwice = false
    /// Other properties: the tag and the inner element.
    var others: [(UInt32, @Sendable (inout DERWriter) -> Void)] = []

    static var empty: Self { Self(purposes: nil, origin: nil) }

    func write(to writer: inout DERWriter) {
      writer.writeSequence {
        if let purposes { $0.writeExplicit(1) { $0.writeSetOf(purposes) { $0.writeInteger($1) } } }
        $0.writeExplicit(3) { $0.writeInteger(256) }
        if allApplications { $0.writeExplicit(600) { $0.writeNull() } }
        for _ in 0..<(isTwice ? 2 : 1) { if let origin { $0.writeExplicit(702) { $0.writeInteger(origin) } } }
        for (tag, write) in others { $0.writeExplicit(tag) { write(&$0) } }
      }
    }
  }

  /// The value of the extension.
  var der: [UInt8] {
    var writer = DERWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The certificate extension.
  var `extension`: [UInt8] {
    CertificatePart.extension([1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]) { write(to: &$0) }
  }

  private func write(to writer: inout DERWriter) {
    writer.writeSequence {
      $0.writeInteger(300)
      $0.writeEnumerated(attestationLevel)
      $0.writeInteger(300)
      $0.writeEnumerated(keyLevel)
      $0.writeOctetString(challenge[...])
      $0.writeOctetString(uniqueID)
      software.write(to: &$0)
      hardware.write(to: &$0)
    }
  }
}
