// SPDX-License-Identifier: Apache-2.0

// Open sets of Android's numbers: a value that is not known yet is kept.

extension KeyDescription {
  /// An operation for which a key may be used.
  public struct Purpose: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The purpose with this number, known or not.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// To encrypt.
    public static let encrypt = Self(rawValue: 0)
    /// To decrypt.
    public static let decrypt = Self(rawValue: 1)
    /// To sign: the one purpose that a credential key may have.
    public static let sign = Self(rawValue: 2)
    /// To verify signatures.
    public static let verify = Self(rawValue: 3)
    /// To wrap other keys.
    public static let wrapKey = Self(rawValue: 5)
    /// To agree on keys.
    public static let agreeKey = Self(rawValue: 6)
    /// To attest other keys.
    public static let attestKey = Self(rawValue: 7)
  }

  /// The algorithm of a key.
  public struct Algorithm: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The algorithm with this number, known or not.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// RSA.
    public static let rsa = Self(rawValue: 1)
    /// Elliptic curves.
    public static let ec = Self(rawValue: 3)
  }

  /// Where a key came from.
  public struct Origin: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// The origin with this number, known or not.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// Made in the key store: the one origin that a credential key may have.
    public static let generated = Self(rawValue: 0)
    /// Made in the key store from another key.
    public static let derived = Self(rawValue: 1)
    /// Imported into the key store.
    public static let imported = Self(rawValue: 2)
    /// Not told.
    public static let unknown = Self(rawValue: 3)
    /// Imported in wrapped form.
    public static let securelyImported = Self(rawValue: 4)
  }

  /// The result of verified boot.
  public struct VerifiedBootState: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64

    /// The state with this number, known or not.
    public init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// The manufacturer's key verified the boot image.
    public static let verified = Self(rawValue: 0)
    /// A key that the user installed verified it.
    public static let selfSigned = Self(rawValue: 1)
    /// The bootloader is unlocked: nothing was verified.
    public static let unverified = Self(rawValue: 2)
    /// The verification failed.
    public static let failed = Self(rawValue: 3)
  }
}
