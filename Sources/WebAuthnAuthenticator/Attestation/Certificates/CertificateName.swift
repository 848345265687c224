// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

// Name ::= CHOICE { rdnSequence SEQUENCE OF RelativeDistinguishedName }                        (RFC 5280 §4.1.2.4)
// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue

/// The name of a subject or an issuer in a certificate that is to be made: relative names, in their order.
public struct CertificateName: Hashable, Sendable {
  /// The relative names; nearly all have one attribute.
  public var relativeNames: [[Attribute]]

  /// One attribute of a relative name.
  public struct Attribute: Hashable, Sendable {
    /// What the text means.
    public let type: ObjectIdentifier

    /// The value.
    public let text: String

    /// Puts an attribute together.
    public init(_ type: ObjectIdentifier, _ text: String) {
      self.type = type
      self.text = text
    }
  }

  /// The name that has no parts, as a TPM's certificate must have it (WebAuthn §8.3.1).
  public static let empty = Self(relativeNames: [])

  /// A name of relative names with any number of attributes.
  public init(relativeNames: [[Attribute]]) {
    self.relativeNames = relativeNames
  }

  /// A name whose relative names have one attribute each.
  public init(_ attributes: Attribute...) {
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
  /// RFC 5280 §4.1.2.4: UTF8String, but a country is a PrintableString (RFC 4519 §2.2).
  fileprivate func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      writer.writeObjectIdentifier(type)
      if type == .countryName, (try? writer.writePrintableString(text)) != nil { return }
      writer.writeUTF8String(text)
    }
  }
}
