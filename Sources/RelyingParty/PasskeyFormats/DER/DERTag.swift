// SPDX-License-Identifier: Apache-2.0

/// The identifier of a DER element (X.690 §8.1.2): its class, its form and its number.
package struct DERTag: Hashable, Sendable {
  /// The class, which determines the meaning of the number.
  package let tagClass: Class

  /// Whether the content is a series of elements rather than a value.
  package let isConstructed: Bool

  /// The number within the class.
  package let number: UInt32

  /// The four classes of tags.
  package enum Class: UInt8, Sendable {
    /// A type of ASN.1.
    case universal = 0
    /// A type defined by an application.
    case application = 1
    /// A member of the enclosing type: implicit and explicit tags.
    case contextSpecific = 2
    /// A type defined by an enterprise.
    case privateUse = 3
  }

  /// Creates a tag.
  package init(_ tagClass: Class, _ number: UInt32, isConstructed: Bool) {
    self.tagClass = tagClass
    self.number = number
    self.isConstructed = isConstructed
  }

  /// Returns `[number]` in primitive form: an implicit tag of a primitive type.
  package static func context(_ number: UInt32) -> Self {
    Self(.contextSpecific, number, isConstructed: false)
  }

  /// Returns `[number]` in constructed form: an explicit tag, or an implicit tag of a sequence or set.
  package static func contextConstructed(_ number: UInt32) -> Self {
    Self(.contextSpecific, number, isConstructed: true)
  }
}

extension DERTag {
  /// BOOLEAN
  package static let boolean = Self(.universal, 1, isConstructed: false)
  /// INTEGER
  package static let integer = Self(.universal, 2, isConstructed: false)
  /// BIT STRING
  package static let bitString = Self(.universal, 3, isConstructed: false)
  /// OCTET STRING
  package static let octetString = Self(.universal, 4, isConstructed: false)
  /// NULL
  package static let null = Self(.universal, 5, isConstructed: false)
  /// OBJECT IDENTIFIER
  package static let objectIdentifier = Self(.universal, 6, isConstructed: false)
  /// ENUMERATED
  package static let enumerated = Self(.universal, 10, isConstructed: false)
  /// UTF8String
  package static let utf8String = Self(.universal, 12, isConstructed: false)
  /// SEQUENCE and SEQUENCE OF
  package static let sequence = Self(.universal, 16, isConstructed: true)
  /// SET and SET OF
  package static let set = Self(.universal, 17, isConstructed: true)
  /// NumericString
  package static let numericString = Self(.universal, 18, isConstructed: false)
  /// PrintableString
  package static let printableString = Self(.universal, 19, isConstructed: false)
  /// TeletexString, also called T61String
  package static let teletexString = Self(.universal, 20, isConstructed: false)
  /// IA5String
  package static let ia5String = Self(.universal, 22, isConstructed: false)
  /// UTCTime
  package static let utcTime = Self(.universal, 23, isConstructed: false)
  /// GeneralizedTime
  package static let generalizedTime = Self(.universal, 24, isConstructed: false)
  /// VisibleString
  package static let visibleString = Self(.universal, 26, isConstructed: false)
  /// UniversalString
  package static let universalString = Self(.universal, 28, isConstructed: false)
  /// BMPString
  package static let bmpString = Self(.universal, 30, isConstructed: false)
}

extension DERTag: CustomStringConvertible {
  /// The class and number in ASN.1 notation.
  package var description: String {
    switch tagClass {
    case .universal: "[UNIVERSAL \(number)]"
    case .application: "[APPLICATION \(number)]"
    case .contextSpecific: "[\(number)]"
    case .privateUse: "[PRIVATE \(number)]"
    }
  }
}
