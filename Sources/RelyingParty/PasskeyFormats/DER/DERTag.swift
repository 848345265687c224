// SPDX-License-Identifier: Apache-2.0

/// The identifier of a DER element (X.690 §8.1.2): its class, its form and its number.
public struct DERTag: Hashable, Sendable {
  /// The class, which determines the meaning of the number.
  public let tagClass: Class

  /// Whether the content is a series of elements rather than a value.
  public let isConstructed: Bool

  /// The number within the class.
  public let number: UInt32

  /// The four classes of tags.
  public enum Class: UInt8, Sendable {
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
  public init(_ tagClass: Class, _ number: UInt32, isConstructed: Bool) {
    self.tagClass = tagClass
    self.number = number
    self.isConstructed = isConstructed
  }

  /// Returns `[number]` in primitive form: an implicit tag of a primitive type.
  public static func context(_ number: UInt32) -> Self {
    Self(.contextSpecific, number, isConstructed: false)
  }

  /// Returns `[number]` in constructed form: an explicit tag, or an implicit tag of a sequence or set.
  public static func contextConstructed(_ number: UInt32) -> Self {
    Self(.contextSpecific, number, isConstructed: true)
  }
}

extension DERTag {
  /// BOOLEAN
  public static let boolean = Self(.universal, 1, isConstructed: false)
  /// INTEGER
  public static let integer = Self(.universal, 2, isConstructed: false)
  /// BIT STRING
  public static let bitString = Self(.universal, 3, isConstructed: false)
  /// OCTET STRING
  public static let octetString = Self(.universal, 4, isConstructed: false)
  /// NULL
  public static let null = Self(.universal, 5, isConstructed: false)
  /// OBJECT IDENTIFIER
  public static let objectIdentifier = Self(.universal, 6, isConstructed: false)
  /// ENUMERATED
  public static let enumerated = Self(.universal, 10, isConstructed: false)
  /// UTF8String
  public static let utf8String = Self(.universal, 12, isConstructed: false)
  /// SEQUENCE and SEQUENCE OF
  public static let sequence = Self(.universal, 16, isConstructed: true)
  /// SET and SET OF
  public static let set = Self(.universal, 17, isConstructed: true)
  /// NumericString
  public static let numericString = Self(.universal, 18, isConstructed: false)
  /// PrintableString
  public static let printableString = Self(.universal, 19, isConstructed: false)
  /// TeletexString, also called T61String
  public static let teletexString = Self(.universal, 20, isConstructed: false)
  /// IA5String
  public static let ia5String = Self(.universal, 22, isConstructed: false)
  /// UTCTime
  public static let utcTime = Self(.universal, 23, isConstructed: false)
  /// GeneralizedTime
  public static let generalizedTime = Self(.universal, 24, isConstructed: false)
  /// VisibleString
  public static let visibleString = Self(.universal, 26, isConstructed: false)
  /// UniversalString
  public static let universalString = Self(.universal, 28, isConstructed: false)
  /// BMPString
  public static let bmpString = Self(.universal, 30, isConstructed: false)
}

extension DERTag: CustomStringConvertible {
  /// The class and number in ASN.1 notation.
  public var description: String {
    switch tagClass {
    case .universal: "[UNIVERSAL \(number)]"
    case .application: "[APPLICATION \(number)]"
    case .contextSpecific: "[\(number)]"
    case .privateUse: "[PRIVATE \(number)]"
    }
  }
}
