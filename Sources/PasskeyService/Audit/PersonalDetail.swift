// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// Personal data that belongs to an audit record and is kept beside it, so that it can be erased.
///
/// The record contains only a commitment, SHA-256(salt ‖ value). While the salt and value exist, anyone can verify that
/// they match the record. Once they are erased, the commitment reveals nothing, because the salt is random and as long
/// as the hash.
public struct PersonalDetail: Hashable, Sendable {
  /// The kinds of personal detail.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The IP address of the client.
    case address
    /// An email address.
    case email
  }

  /// The kind of detail. A record has at most one of each.
  public var name: Name

  /// The account that the detail is about; nil if unknown.
  public var person: UserHandle?

  /// 32 random bytes.
  public var salt: [UInt8]

  /// The personal data itself.
  public var value: String

  static let saltByteCount = 32

  /// Creates a detail from its stored fields.
  public init(name: Name, person: UserHandle?, salt: [UInt8], value: String) {
    self.name = name
    self.person = person
    self.salt = salt
    self.value = value
  }

  /// The commitment that the record contains.
  public var commitment: [UInt8] { Digest.sha256((salt + Array(value.utf8))[...]) }
}
