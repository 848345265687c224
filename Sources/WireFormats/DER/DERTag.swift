// SPDX-License-Identifier: Apache-2.0

/// The identifier of a DER element (X.690 §8.1.2): its class, whether it holds elements, and its number.
public struct DERTag: Hashable, Sendable {
  /// Who gave the number its meaning.
  public let tagClass: Class

  /// Whether the content is elements rather than a value.
  public let isConstructed: Bool

  /// The number within the class.
  public let number: UInt32

  /// The four classes of tags.
  public enum Class: UInt8, Sendable {
    /// A type of ASN.1 itself.
    case universal = 0
    /// A type of one application.
    case application = 1
    /// A member's place in the type around it: implicit and explicit tags.
    case contextSpecific = 2
    /// A type of one enterprise.
    case privateUse = 3
  }

  /// Makes a tag.
  public init(_ tagClass: Class, _ number: UInt32, isConstructed: Bool) {
    self.tagClass = tagClass
    self.number = number
    self.isConstructed = isConstructed
  }

  /// `[number]` around a value: an implicit tag on a primitive type.
  public static func context(_ number: UInt32) -> Self {
    Self(.contextSpecific, number, isConstructed: false)
  }

  /// `[number]` around elements: an explicit tag, or an implicit one on a sequence or set.
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
  /// The class and number as ASN.1 writes them.
  public var description: String {
    switch tagClass {
    case .universal: "[UNIVERSAL \(number)]"
    case .application: "[APPLICATION \(number)]"
    case .contextSpecific: "[\(number)]"
    case .privateUse: "[PRIVATE \(number)]"
    }
  }
}
