// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

// Name ::= CHOICE { rdnSequence SEQUENCE OF RelativeDistinguishedName }                        (RFC 5280 §4.1.2.4)
// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue

/// The distinguished name of a subject or an issuer: a sequence of relative distinguished names.
package struct CertificateName: Hashable, Sendable {
  /// The relative distinguished names, usually with one attribute each.
  package var relativeNames: [[Attribute]]

  /// An attribute of a relative distinguished name.
  package struct Attribute: Hashable, Sendable {
    /// The attribute type.
    package let type: DERObjectIdentifier

    /// The attribute value.
    package let text: String

    /// Creates an attribute.
    package init(_ type: DERObjectIdentifier, _ text: String) {
      self.type = type
      self.text = text
    }
  }

  /// The empty name, required as the subject of a TPM attestation certificate (WebAuthn §8.3.1).
  package static let empty = Self(relativeNames: [])

  /// Creates a name from relative distinguished names with any number of attributes.
  package init(relativeNames: [[Attribute]]) {
    self.relativeNames = relativeNames
  }

  /// Creates a name from relative distinguished names with one attribute each.
  package init(_ attributes: Attribute...) {
    relativeNames = attributes.map { [$0] }
  }

  func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      for attributes in relativeNames {
        writer.writeSetOf(attributes) { (writer, attribute) in attribute.write(to: &writer) }
      }
    }
  }
}

extension CertificateName.Attribute {
  /// Writes the value as UTF8String (RFC 5280 §4.1.2.4), a country as PrintableString (RFC 4519 §2.2).
  fileprivate func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      writer.writeObjectIdentifier(type)
      if type == .countryName, (try? writer.writePrintableString(text)) != nil { return }
      writer.writeUTF8String(text)
    }
  }
}
