// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// Something about a person that belongs to an audit record and is kept beside it, so that it can be erased.
///
/// In the record stands only its commitment, SHA-256(salt ‖ value). While salt and value are there, anybody can see that
/// they are what was recorded; once they are gone, nobody can find out from the commitment what they were, because the salt
/// is random and as long as the hash.
public struct PersonalDetail: Hashable, Sendable {
  /// What it is.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// Where the request came from.
    case address
    /// An e-mail address.
    case email
  }

  /// What it is. A record has one of each at the most.
  public var name: Name

  /// Whom it is about; nil where that is not known.
  public var person: UserHandle?

  /// 32 random bytes.
  public var salt: [UInt8]

  /// The detail itself.
  public var value: String

  static let saltByteCount = 32

  /// Puts together what a store has.
  public init(name: Name, person: UserHandle?, salt: [UInt8], value: String) {
    self.name = name
    self.person = person
    self.salt = salt
    self.value = value
  }

  /// What the record has of it.
  public var commitment: [UInt8] { Digest.sha256((salt + Array(value.utf8))[...]) }
}
