// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// DER encodings of parts of certificates, for tests that corrupt them.
public enum CertificatePart {
  /// A name made of relative distinguished names, each with one or more attributes (RFC 5280 §4.1.2.4).
  package static func name(_ parts: [[(DERObjectIdentifier, String)]]) -> [UInt8] {
    var writer = DERWriter()
    writer.writeSequence {
      for part in parts {
        $0.writeSetOf(part) { writer, attribute in
          writer.writeSequence {
            $0.writeObjectIdentifier(attribute.0)
            $0.writeUTF8String(attribute.1)
          }
        }
      }
    }
    return writer.bytes
  }

  /// An extension whose value `value` writes (RFC 5280 §4.1.2.9).
  package static func `extension`(
    _ identifier: DERObjectIdentifier, isCritical: Bool = false, _ value: (inout DERWriter) -> Void
  ) -> [UInt8] {
    var writer = DERWriter()
    writer.writeSequence {
      $0.writeObjectIdentifier(identifier)
      if isCritical { $0.writeBoolean(true) }
      $0.writeOctetString(value)
    }
    return writer.bytes
  }
}
