// SPDX-License-Identifier: Apache-2.0

// Open sets of Android's numbers: unknown values are preserved.

extension KeyDescription {
  /// An operation for which a key may be used.
  package struct Purpose: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: UInt64

    /// Creates a purpose from its number, known or not.
    package init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// Encryption.
    package static let encrypt = Self(rawValue: 0)
    /// Decryption.
    package static let decrypt = Self(rawValue: 1)
    /// Signing: the only purpose that a credential key may have.
    package static let sign = Self(rawValue: 2)
    /// Signature verification.
    package static let verify = Self(rawValue: 3)
    /// Wrapping of other keys.
    package static let wrapKey = Self(rawValue: 5)
    /// Key agreement.
    package static let agreeKey = Self(rawValue: 6)
    /// Attestation of other keys.
    package static let attestKey = Self(rawValue: 7)
  }

  /// The algorithm of a key.
  package struct Algorithm: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: UInt64

    /// Creates an algorithm from its number, known or not.
    package init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// RSA.
    package static let rsa = Self(rawValue: 1)
    /// Elliptic curve algorithms.
    package static let ec = Self(rawValue: 3)
  }

  /// The origin of a key.
  package struct Origin: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: UInt64

    /// Creates an origin from its number, known or not.
    package init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// Generated in the key store: the only origin that a credential key may have.
    package static let generated = Self(rawValue: 0)
    /// Derived from another key in the key store.
    package static let derived = Self(rawValue: 1)
    /// Imported into the key store.
    package static let imported = Self(rawValue: 2)
    /// Not reported.
    package static let unknown = Self(rawValue: 3)
    /// Imported in wrapped form.
    package static let securelyImported = Self(rawValue: 4)
  }

  /// The result of verified boot.
  package struct VerifiedBootState: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: Int64

    /// Creates a state from its number, known or not.
    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// The manufacturer's key verified the boot image.
    package static let verified = Self(rawValue: 0)
    /// A user-installed key verified the boot image.
    package static let selfSigned = Self(rawValue: 1)
    /// The bootloader is unlocked, so nothing was verified.
    package static let unverified = Self(rawValue: 2)
    /// The verification failed.
    package static let failed = Self(rawValue: 3)
  }
}
